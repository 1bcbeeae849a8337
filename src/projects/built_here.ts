/**
 * What this installation built, kept outside the repository where a committer cannot write
 * (corpus-and-migrations.md 14.4). A file that cannot be read vouches for nothing.
 *
 * @module
 */

import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, parsedOnce, replaceFile, rereadRegularFile } from "../platform/files/mod.ts";
import { sortedJson } from "../platform/json.ts";
import { withRegistryLock } from "./_registry_lock.ts";
import { ensureDataDirectory } from "./data_directory.ts";

/**
 * Kinds of derived files that are vouched for. A `seal` is a secret of one file, written into it:
 * names such as a state hash can be foretold by who commits a doctored file, a seal cannot.
 */
export const BUILT_KINDS = ["state", "index", "findings", "review", "seal"] as const;
export type BuiltKind = typeof BUILT_KINDS[number];

type BuiltRecord = Record<BuiltKind, string[]>;

/** True when this installation recorded that it built `id` for the project at `root`. */
export function isBuiltHere(
  dataDirectory: string,
  root: string,
  kind: BuiltKind,
  id: string,
): boolean {
  return vouchedFor(dataDirectory).get(root)?.[kind].includes(id) ?? false;
}

/** Every id this installation recorded for the project at `root`, oldest first. */
export function builtHere(dataDirectory: string, root: string, kind: BuiltKind): readonly string[] {
  return vouchedFor(dataDirectory).get(root)?.[kind] ?? [];
}

/** Records one build; nothing is written when it is recorded already. */
export function recordBuiltHere(
  dataDirectory: string,
  root: string,
  kind: BuiltKind,
  id: string,
): Promise<void> {
  return recordAllBuiltHere(dataDirectory, root, [[kind, id]]);
}

/** Records several builds in one write: all of them or none. */
export async function recordAllBuiltHere(
  dataDirectory: string,
  root: string,
  builds: readonly (readonly [kind: BuiltKind, id: string])[],
): Promise<void> {
  ensureDataDirectory(dataDirectory);
  await withRegistryLock(dataDirectory, () => {
    const built = readBuilt(dataDirectory);
    const record = built.get(root) ?? emptyRecord();
    const news = builds.filter(([kind, id]) => !record[kind].includes(id));
    if (news.length === 0) return;
    for (const [kind, id] of news) record[kind].push(id);
    built.set(root, record);
    writeBuilt(dataDirectory, built);
  });
}

/** Forgets builds whose files are gone or no longer to be trusted. */
export function forgetBuiltHere(
  dataDirectory: string,
  root: string,
  kind: BuiltKind,
  ids: readonly string[],
): Promise<void> {
  return forgetAllBuiltHere(dataDirectory, root, ids.map((id) => [kind, id]));
}

/** Forgets several builds in one write: all of them or none. */
export async function forgetAllBuiltHere(
  dataDirectory: string,
  root: string,
  builds: readonly (readonly [kind: BuiltKind, id: string])[],
): Promise<void> {
  if (!builds.some(([kind, id]) => isBuiltHere(dataDirectory, root, kind, id))) return;
  await withRegistryLock(dataDirectory, () => {
    const built = readBuilt(dataDirectory);
    const record = built.get(root);
    if (record === undefined) return;
    for (const [kind, id] of builds) {
      record[kind] = record[kind].filter((recorded) => recorded !== id);
    }
    writeBuilt(dataDirectory, built);
  });
}

function builtPath(dataDirectory: string): string {
  return join(dataDirectory, "built-here.json");
}

function emptyRecord(): BuiltRecord {
  return { state: [], index: [], findings: [], review: [], seal: [] };
}

function writeBuilt(dataDirectory: string, built: ReadonlyMap<string, BuiltRecord>): void {
  const content: Record<string, BuiltRecord> = Object.create(null);
  for (const [root, record] of built) content[root] = record;
  replaceFile(builtPath(dataDirectory), `${sortedJson(content)}\n`, {
    mode: 0o600,
    exactMode: true,
  });
}

/** The record for looking at. */
function vouchedFor(dataDirectory: string): ReadonlyMap<string, Readonly<BuiltRecord>> {
  const bytes = readBytes(dataDirectory);
  return bytes === null ? new Map() : parsedBuilt(bytes);
}

const parsedBuilt = parsedOnce<ReadonlyMap<string, Readonly<BuiltRecord>>>(parseBuilt);

/** The record for changing. */
function readBuilt(dataDirectory: string): Map<string, BuiltRecord> {
  const bytes = readBytes(dataDirectory);
  return bytes === null ? new Map() : parseBuilt(bytes);
}

function parseBuilt(bytes: Uint8Array): Map<string, BuiltRecord> {
  const content = contentOf(bytes);
  const built = new Map<string, BuiltRecord>();
  if (typeof content !== "object" || content === null || Array.isArray(content)) return built;
  for (const [root, stored] of Object.entries(content)) {
    if (typeof stored !== "object" || stored === null) continue;
    const record = emptyRecord();
    for (const kind of BUILT_KINDS) {
      const ids: unknown = (stored as Record<string, unknown>)[kind];
      if (Array.isArray(ids)) record[kind] = ids.filter((id) => typeof id === "string");
    }
    built.set(root, record);
  }
  return built;
}

function readBytes(dataDirectory: string): Uint8Array | null {
  try {
    return rereadRegularFile(builtPath(dataDirectory));
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

function contentOf(bytes: Uint8Array): unknown {
  try {
    const text = decodeUtf8(bytes);
    return text === null ? null : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
