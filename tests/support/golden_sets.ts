/**
 * The golden migration sets as trees on disk (tests/fixtures/golden-corpus/README.md).
 *
 * @module
 */

import { dirname, join } from "node:path";

/** What a file of a set holds. */
export type GoldenFile =
  | string
  | { readonly b64: string }
  | { readonly parts: readonly (string | readonly [string, number])[] }
  | { readonly link: string }
  | { readonly hardlink: string }
  | { readonly dir: true }
  | { readonly fifo: true };

/** One set and what `migrate validate` and `migrate apply` must answer. */
export interface GoldenSet {
  readonly name: string;
  readonly files: Readonly<Record<string, GoldenFile>>;
  readonly needs?: readonly string[];
  readonly expect: GoldenExpectation;
}

export interface GoldenExpectation {
  readonly validate: number;
  readonly apply: number;
  readonly stateHash?: string;
  readonly order?: readonly string[];
  readonly operations?: number;
  readonly contentFiles?: number;
  readonly surfaceable?: number;
  readonly items?: readonly unknown[][];
  readonly revisions?: readonly unknown[][];
  readonly aliases?: readonly unknown[][];
  readonly relations?: readonly unknown[][];
  readonly evidence?: readonly unknown[][];
  readonly specifications?: readonly unknown[][];
  readonly permissiveMoves?: readonly unknown[][];
}

/** Column names of every table, from the header line. */
export type GoldenColumns = Readonly<Record<string, readonly string[]>>;

const FIXTURE = new URL("../fixtures/golden-corpus/sets.jsonl.gz", import.meta.url);

/** Reads the header's columns and all sets. */
export async function readGoldenSets(): Promise<{
  readonly columns: GoldenColumns;
  readonly anchorColumns: readonly string[];
  readonly sets: readonly GoldenSet[];
}> {
  const packed = new Blob([Deno.readFileSync(FIXTURE)]).stream();
  const text = await new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
  const [header, ...lines] = text.trimEnd().split("\n");
  const { columns, anchorColumns } = JSON.parse(header!);
  return {
    columns,
    anchorColumns,
    sets: lines.map((line) => JSON.parse(line)),
  };
}

/** Writes a set below a parent of its own and returns the project's root. */
export function writeGoldenSet(parent: string, { name, files }: GoldenSet): string {
  const root = join(parent, name);
  Deno.mkdirSync(root);
  const later: [string, string][] = [];
  for (const [path, file] of Object.entries(files)) {
    const target = join(root, path);
    Deno.mkdirSync(dirname(target), { recursive: true });
    if (typeof file === "string") Deno.writeTextFileSync(target, file);
    else if ("hardlink" in file) later.push([join(root, file.hardlink), target]);
    else writeSpecial(root, target, file);
  }
  for (const [existing, target] of later) Deno.linkSync(existing, target);
  return root;
}

function writeSpecial(
  root: string,
  target: string,
  file: Exclude<GoldenFile, string | { hardlink: string }>,
): void {
  if ("b64" in file) Deno.writeFileSync(target, Uint8Array.fromBase64(file.b64));
  else if ("parts" in file) Deno.writeTextFileSync(target, joinParts(file.parts));
  else if ("link" in file) Deno.symlinkSync(file.link.replace("{root}", root), target);
  else if ("dir" in file) Deno.mkdirSync(target, { recursive: true });
  else new Deno.Command("mkfifo", { args: [target] }).outputSync();
}

function joinParts(parts: readonly (string | readonly [string, number])[]): string {
  return parts.map((part) => typeof part === "string" ? part : part[0].repeat(part[1])).join("");
}
