/**
 * Publishing a derived store whole: written beside its place, then renamed over it, so that a reader
 * sees the old file or the new one (review.md 3, "Wholesale rebuild").
 *
 * @module
 */

import { dirname, join } from "node:path";
import type { Clock } from "../platform/clock.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  containedPath,
  ensureDirectory,
  removeFile,
  renamePath,
  syncDirectory,
} from "../platform/files/mod.ts";
import { type Connection, openForWriting, removeDatabase } from "../platform/sqlite/mod.ts";
import {
  builtHere,
  forgetBuiltHere,
  isBuiltHere,
  type ProjectPaths,
  recordBuiltHere,
} from "../projects/mod.ts";

/** File names of the two stores below `.theurian/state/`. */
export const FINDINGS_STORE = "theurian-findings-local.sqlite";
export const REVIEW_STORE = "theurian-review-local.sqlite";

/** The id under which a store is recorded as built here; there is one a project. */
export const LOCAL_STORE_ID = "local";

/** Path of a store, after proving that it stays in the project. Throws `path-escape` (exit 4). */
export function storePath(paths: ProjectPaths, name: string): string {
  const label = `.theurian/state/${name}`;
  containedPath(paths.root, label, { label });
  return join(paths.state, name);
}

/** A store that is being written. */
export interface StoreDraft {
  readonly connection: Connection;
  /** Puts the draft in the store's place. */
  publish(): void;
}

/**
 * Writes a store at `path`. `write` fills the draft's tables and calls `publish()` once; until then,
 * and when it throws, the old store stays. Hold the project's write lock around `publish()`.
 */
export async function writeStore<T>(
  path: string,
  write: (draft: StoreDraft) => T | Promise<T>,
): Promise<T> {
  const building = `${path}.building`;
  ensureDirectory(dirname(path), { label: ".theurian/state" });
  removeDatabase(building);
  let published = false;
  let connection: Connection | null = null;
  try {
    connection = openForWriting(building, {
      create: true,
      journal: "delete",
      secureDelete: true,
    });
    const draft = connection;
    return await write({
      connection: draft,
      publish() {
        draft.close();
        // Sidecars of the old file would be replayed into the new one.
        for (const suffix of ["-wal", "-shm", "-journal"]) removeFile(path + suffix);
        renamePath(building, path);
        published = true;
        syncDirectory(dirname(path));
      },
    });
  } finally {
    connection?.close();
    if (!published) removeDatabase(building);
  }
}

/** What a build needs of the outside. */
export interface StoreBuildOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  /** A secret no one can foretell, for the file that is built. */
  readonly seal: () => string;
  readonly onStep?: (what: string, done?: number, total?: number) => void;
}

/** The two stores, as they are recorded in the data directory. */
export type StoreKind = "findings" | "review";

/**
 * Records that a store was built here: its kind, and the seal that is written into it. A seal cannot
 * be foretold, so a store that a commit puts over ours is not served (threat: `git add -f`).
 */
export async function recordStore(
  dataDirectory: string,
  root: string,
  kind: StoreKind,
  seal: string,
): Promise<void> {
  const sealed = sealId(kind, seal);
  await recordBuiltHere(dataDirectory, root, "seal", sealed);
  await recordBuiltHere(dataDirectory, root, kind, LOCAL_STORE_ID);
  const older = builtHere(dataDirectory, root, "seal")
    .filter((id) => id.startsWith(`${kind}:`) && id !== sealed);
  if (older.length > 0) await forgetBuiltHere(dataDirectory, root, "seal", older);
}

/** Where a store is, and who must have built it. */
export interface ServedStore {
  readonly path: string;
  readonly root: string;
  readonly dataDirectory: string;
}

/** True when a store of this kind was built here, whichever file stands in its place now. */
export function isStoreRecorded(dataDirectory: string, root: string, kind: StoreKind): boolean {
  return isBuiltHere(dataDirectory, root, kind, LOCAL_STORE_ID);
}

/** True when the store that carries this seal is the one that was built here last. */
export function isStoreSealed(
  dataDirectory: string,
  root: string,
  kind: StoreKind,
  seal: string,
): boolean {
  return isBuiltHere(dataDirectory, root, "seal", sealId(kind, seal));
}

function sealId(kind: StoreKind, seal: string): string {
  return `${kind}:${seal}`;
}

/** As the store commands answer: every fault but a path that leaves the project is exit 1. */
export function asStoreFault(error: unknown): unknown {
  if (!isFault(error) || error.fault === "path-escape" || error.exit === 1) return error;
  return new TheurianError(error.fault, error.message, {
    remedy: error.remedy,
    details: error.details ?? {},
    exit: 1,
    cause: error,
  });
}
