/** Reading the imports of the shipped code, for the tests of the house. */

import { dirname, join, relative, resolve } from "node:path";
import { areaOf, ENTRY_FILES, isTest, LAYERS } from "../../lint/_places.ts";

/** Root of the repository. */
export const ROOT = resolve(import.meta.dirname!, "../..");

/** One import between files of `src`. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Erased by the compiler. */
  readonly typeOnly: boolean;
  /** Evaluated only when the code gets there. */
  readonly lazy: boolean;
}

/** Shipped files of `src`, as paths from the root, in order. */
export function sourceFiles(folder = "src"): string[] {
  const files: string[] = [];
  for (const entry of Deno.readDirSync(join(ROOT, folder))) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory && !isTest(`${path}/`)) files.push(...sourceFiles(path));
    else if (entry.isFile && /\.[jt]s$/.test(path) && !path.endsWith(".d.ts") && !isTest(path)) {
      files.push(path);
    }
  }
  return files.sort();
}

const STATEMENT =
  /^[ \t]*(import|export)\b(?!\s*\()([^;"'`]*?)\bfrom\s*["']([^"']+)["']|^[ \t]*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*[,)]/gm;

/** Imports that a source makes within the repository; `path` is its place from the root. */
export function importsOf(path: string, source: string): Import[] {
  const found: Import[] = [];
  for (const [, , clause, named, bare, dynamic] of code(source).matchAll(STATEMENT)) {
    const specifier = named ?? bare ?? dynamic!;
    if (!specifier.startsWith(".")) continue;
    const to = relative(ROOT, resolve(ROOT, dirname(path), specifier));
    found.push({
      from: path,
      to,
      typeOnly: clause !== undefined && isTypeOnly(clause),
      lazy: dynamic !== undefined,
    });
  }
  return found;
}

/** `import type …`, or braces that name types alone. */
function isTypeOnly(clause: string): boolean {
  if (/^\s*type\b/.test(clause)) return true;
  const names = /^\s*\{([^}]*)\}\s*$/.exec(clause)?.[1];
  if (names === undefined) return false;
  const parts = names.split(",").map((name) => name.trim()).filter((name) => name !== "");
  return parts.length > 0 && parts.every((name) => name.startsWith("type "));
}

/** The source without comments, whose examples import too. */
function code(source: string): string {
  return source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
}

/** The whole graph of `src`. */
export function importGraph(): Import[] {
  return sourceFiles().flatMap((path) => importsOf(path, Deno.readTextFileSync(join(ROOT, path))));
}

/** Imports that point back: into a later layer, or sideways into another area of the same one. */
export function backwardImports(graph: readonly Import[]): string[] {
  const level = new Map(LAYERS.flatMap((areas, at) => areas.map((area) => [area, at] as const)));
  const wrong: string[] = [];
  for (const { from, to } of graph) {
    const [user, used] = [areaOf(from), areaOf(to)];
    if (user === null || used === null || user === used) continue;
    const [above, below] = [level.get(user), level.get(used)];
    if (above === undefined || below === undefined) wrong.push(`${from}: no layer for this area`);
    else if (below >= above) wrong.push(`${from} imports ${to}`);
  }
  return wrong;
}

/** Circles of imports that are evaluated at start; each is told once, from its smallest file. */
export function importCycles(graph: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to, typeOnly, lazy } of graph) {
    if (!typeOnly && !lazy) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  const cycles = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: string[]) => {
    const at = trail.indexOf(file);
    if (at !== -1) {
      const circle = trail.slice(at);
      const start = circle.indexOf([...circle].sort()[0]!);
      cycles.add([...circle.slice(start), ...circle.slice(0, start)].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const next of targets.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of [...targets.keys()].sort()) visit(file, []);
  return [...cycles].sort();
}

/** Where a folder's `mod.ts` is not its list: a public file that is missing, a private one that is not. */
export function incompleteFaces(
  files: readonly string[],
  read: (path: string) => string,
): string[] {
  const wrong: string[] = [];
  for (const face of files.filter((path) => path.endsWith("/mod.ts"))) {
    const folder = dirname(face);
    const listed = new Set(importsOf(face, read(face)).map(({ to }) => to));
    for (const path of files) {
      if (dirname(path) !== folder || path === face || ENTRY_FILES.includes(path)) continue;
      const isPrivate = path.startsWith(`${folder}/_`);
      if (isPrivate && listed.has(path)) wrong.push(`${face} lists the private ${path}`);
      if (!isPrivate && !listed.has(path)) wrong.push(`${face} does not list ${path}`);
    }
  }
  return wrong.sort();
}
