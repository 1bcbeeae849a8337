/**
 * Where a file lies in the house, from its path.
 *
 * @module
 */

import { dirname, join, relative, sep } from "node:path";

const ROOT = dirname(import.meta.dirname!);

/** Areas in the order of use: a file imports from its own area and from those before it. */
export const LAYERS: readonly (readonly string[])[] = [
  ["platform"],
  ["secrets", "compat", "projects", "lexicon"],
  ["ingest"],
  ["knowledge"],
  ["index", "proposals", "review"],
  ["okf"],
  ["search"],
  ["mcp"],
  ["daemon"],
  ["setup"],
  ["cli"],
];

/** Files other areas may import besides a `mod.ts`: types and facts that the whole house shares. */
export const SHARED_FILES: readonly string[] = [
  "src/cli/command.ts",
  "src/compat/versions.ts",
  "src/knowledge/model.ts",
  "src/knowledge/state_reader.ts",
  "src/mcp/tool.ts",
];

/** Programs of their own: started by path, never imported. */
export const ENTRY_FILES: readonly string[] = ["src/daemon/worker.ts"];

/** Path from the root of the repository, with `/`; a path that is relative already stays. */
export function housePath(filename: string): string {
  const path = filename.startsWith(ROOT) ? relative(ROOT, filename) : filename;
  return path.split(sep).join("/");
}

/** True for the code that is shipped: `main.ts` and `src`, tests and their helpers left out. */
export function isShipped(path: string): boolean {
  if (path === "main.ts") return true;
  return path.startsWith("src/") && !isTest(path);
}

/** True for tests and for what only tests import. */
export function isTest(path: string): boolean {
  return /_test\.tsx?$/.test(path) || /(?:^|\/)(?:_testing|testing|testdata)\//.test(path) ||
    /(?:^|\/)_?test_[a-z_]+\.ts$/.test(path);
}

/** First folder below `src`; `null` outside. */
export function areaOf(path: string): string | null {
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null;
}

/** Path of what a relative import names; `null` for a package or an address. */
export function importedPath(from: string, specifier: string): string | null {
  if (!specifier.startsWith(".")) return null;
  return join(dirname(from), specifier).split(sep).join("/");
}
