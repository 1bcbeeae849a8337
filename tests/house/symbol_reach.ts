/**
 * What the code of some files can get into, symbol by symbol: an import from a folder's `mod.ts`
 * leads to the declaration of that name and to what this declaration uses, not to everything the list
 * or the file holds. Names are matched as words, so the answer is never too small.
 *
 * @module
 */

import { dirname, join, relative, resolve } from "node:path";
import { ROOT } from "./import_graph.ts";

/** Reads a source by its place from the root. */
export type ReadSource = (path: string) => string;

/** `file#name` of each declaration in reach, with the way that led there. */
export type Reach = ReadonlyMap<string, readonly string[]>;

/** The sources of the checkout. */
export const readSource: ReadSource = (path) => Deno.readTextFileSync(join(ROOT, path));

/** Every declaration that the code of the given files can reach; types are erased and lead nowhere. */
export function reachOf(starts: readonly string[], read: ReadSource = readSource): Reach {
  const modules = new Modules(read);
  const reached = new Map<string, readonly string[]>();
  const enter = (symbol: string, way: readonly string[]) => {
    if (reached.has(symbol)) return;
    reached.set(symbol, [...way, symbol]);
    // Whatever a file does when it is loaded comes with anything in it.
    const file = fileOf(symbol);
    for (const name of modules.get(file).onLoad) enter(`${file}#${name}`, [...way, symbol]);
  };
  for (const path of starts) {
    for (const name of modules.get(path).declared.keys()) enter(`${path}#${name}`, []);
  }
  for (const [symbol, way] of reached) {
    for (const next of modules.usedBy(symbol)) enter(next, way);
  }
  return reached;
}

/** Declarations in reach, outside the target's own file, that use it directly. */
export function usersOf(reach: Reach, target: string, read: ReadSource = readSource): string[] {
  const modules = new Modules(read);
  return [...reach.keys()].filter((symbol) =>
    fileOf(symbol) !== fileOf(target) && [...modules.usedBy(symbol)].includes(target)
  ).sort();
}

/** The file of a `file#name`. */
export function fileOf(symbol: string): string {
  return symbol.slice(0, symbol.indexOf("#"));
}

class Modules {
  readonly #read: ReadSource;
  readonly #known = new Map<string, Module>();

  constructor(read: ReadSource) {
    this.#read = read;
  }

  get(path: string): Module {
    const known = this.#known.get(path);
    if (known !== undefined) return known;
    const parsed = parseModule(path, this.#read(path));
    this.#known.set(path, parsed);
    return parsed;
  }

  *usedBy(symbol: string): Generator<string> {
    const file = fileOf(symbol);
    const { declared, imports } = this.get(file);
    const text = declared.get(symbol.slice(file.length + 1))!;
    const words = new Set(text.match(/[A-Za-z_$][\w$]*/g));
    for (const word of words) {
      if (declared.has(word)) yield `${file}#${word}`;
      const use = imports.get(word);
      if (use !== undefined) yield* this.#resolved(use);
    }
    for (const [, specifier] of text.matchAll(DYNAMIC)) {
      const to = placed(file, specifier!);
      if (to !== null) yield* this.#all(to, new Set());
    }
  }

  *#resolved({ to, name }: Use): Generator<string> {
    if (name === "*") return yield* this.#all(to, new Set());
    const symbol = this.#declaration(to, name, new Set());
    if (symbol === null) throw new Error(`${to} exports no ${name} that this reader could find`);
    yield symbol;
  }

  *#all(path: string, seen: Set<string>): Generator<string> {
    if (seen.has(path)) return;
    seen.add(path);
    const { declared, passedOn } = this.get(path);
    for (const name of declared.keys()) yield `${path}#${name}`;
    for (const { from } of passedOn) yield* this.#all(from, seen);
  }

  #declaration(path: string, name: string, seen: Set<string>): string | null {
    if (seen.has(path)) return null;
    seen.add(path);
    const { declared, passedOn, imports } = this.get(path);
    if (declared.has(name)) return `${path}#${name}`;
    const imported = imports.get(name);
    if (imported !== undefined) return this.#declaration(imported.to, imported.name, new Set());
    for (const { from, names } of passedOn) {
      const there = names === "*" ? name : names.get(name);
      const found = there === undefined ? null : this.#declaration(from, there, seen);
      if (found !== null) return found;
    }
    return null;
  }
}

/** One import of a name. */
interface Use {
  readonly to: string;
  /** As the other file calls it; `*` for all that it exports. */
  readonly name: string;
}

/** One `export … from`. */
interface PassedOn {
  readonly from: string;
  /** The name given on to the other file's name. */
  readonly names: ReadonlyMap<string, string> | "*";
}

interface Module {
  /** Top-level names to their text; what has no name is called `(statement)`. */
  readonly declared: ReadonlyMap<string, string>;
  /** What runs when the file is loaded. */
  readonly onLoad: readonly string[];
  /** By local name. */
  readonly imports: ReadonlyMap<string, Use>;
  readonly passedOn: readonly PassedOn[];
}

const IMPORT =
  /^import\b(?!\s*\()\s*(type\b(?!\s*,|\s+from))?([^;"'`]*?)\bfrom\s*["']([^"']+)["'][^;]*;/gm;
const BARE = /^import\s*["']([^"']+)["'];/gm;
const PASSED_ON = /^export\s+(type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s*from\s*["']([^"']+)["'];/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*[,)]/g;
const NAMED =
  /^(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\s*\*?|class|const|let|var|enum)\s+([A-Za-z_$][\w$]*)/;
const DESTRUCTURED = /^(?:export\s+)?(?:const|let|var)\s*[{[]/;
const ERASED = /^(?:export\s+)?(?:declare\s+)?(?:type|interface)\s/;
const CONSTANT = /^(?:export\s+)?(?:const|let|var)\s/;
const IS_FUNCTION = /=\s*(?:async\s*)?(?:\([^)]*\)|[A-Za-z_$][\w$]*)(?:\s*:[^=]+)?\s*=>/;

function parseModule(path: string, source: string): Module {
  const text = source.replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, "");
  const imports = new Map<string, Use>();
  for (const [, type, clause, specifier] of text.matchAll(IMPORT)) {
    const to = type === undefined ? placed(path, specifier!) : null;
    if (to !== null) {
      for (const [local, name] of importedNames(clause!)) imports.set(local, { to, name });
    }
  }
  const passedOn: PassedOn[] = [];
  for (const [, type, what, specifier] of text.matchAll(PASSED_ON)) {
    const from = type === undefined ? placed(path, specifier!) : null;
    if (from !== null) passedOn.push({ from, names: what!.startsWith("*") ? "*" : pairs(what!) });
  }
  const declared = new Map<string, string>();
  const onLoad: string[] = [];
  for (const chunk of chunks(text.replace(IMPORT, "").replace(PASSED_ON, ""))) {
    if (ERASED.test(chunk)) continue;
    const name = DESTRUCTURED.test(chunk) ? STATEMENT : NAMED.exec(chunk)?.[1] ?? STATEMENT;
    declared.set(name, `${declared.get(name) ?? ""}\n${chunk}`);
    const runs = name === STATEMENT || (CONSTANT.test(chunk) && !IS_FUNCTION.test(chunk));
    if (runs && !onLoad.includes(name)) onLoad.push(name);
  }
  for (const [, specifier] of text.matchAll(BARE)) {
    declared.set(STATEMENT, `${declared.get(STATEMENT) ?? ""}\nimport("${specifier}")`);
  }
  return { declared, onLoad, imports, passedOn };
}

const STATEMENT = "(statement)";

/** Top-level statements: formatted code begins them, and nothing else, in the first column. */
function chunks(text: string): string[] {
  const found: string[] = [];
  for (const line of text.split(/\n|(?<=;)(?=export const )/)) {
    if (/^[A-Za-z_$@]/.test(line)) found.push(line);
    else if (found.length > 0) found[found.length - 1] += `\n${line}`;
  }
  return found;
}

function placed(path: string, specifier: string): string | null {
  if (!specifier.startsWith(".") || !/\.[jt]s$/.test(specifier)) return null;
  return relative(ROOT, resolve(ROOT, dirname(path), specifier));
}

/** Local name to the other file's name. */
function importedNames(clause: string): Map<string, string> {
  const names = new Map<string, string>();
  const space = /\*\s+as\s+([\w$]+)/.exec(clause)?.[1];
  if (space !== undefined) names.set(space, "*");
  const own = /^\s*([A-Za-z_$][\w$]*)\s*(?:,|$)/.exec(clause)?.[1];
  if (own !== undefined) names.set(own, "*");
  for (const [local, name] of pairs(/\{([^}]*)\}/.exec(clause)?.[1] ?? "")) names.set(local, name);
  return names;
}

/** `a as b` by the second name to the first; types are left out. */
function pairs(braces: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of braces.replace(/[{}]/g, "").split(",")) {
    const name = part.trim();
    if (name === "" || /^type\s/.test(name)) continue;
    const [there, given = there] = name.split(/\s+as\s+/);
    found.set(given!, there!);
  }
  return found;
}
