/**
 * `.theurian/state/active.json`: which state is served (corpus-and-migrations.md 14.1).
 *
 * @module
 */

import { basename } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { decodeUtf8, replaceFile, rereadRegularFile } from "../platform/files/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { STATE_STAMP } from "./_state_schema.ts";

/** What the pointer says. */
export interface ActivePointer {
  readonly stateHash: string;
  /** Plain file name inside `.theurian/state/`; checked before it is used. */
  readonly databaseFilename: string;
  /** Migrations of the set that the state was built from. */
  readonly migrationCount: number;
  readonly updatedAt: string;
}

const NAME = ".theurian/state/active.json";
const POINTER_BYTES = 65_536;

/**
 * Reads the pointer; `null` when there is none, or a well-formed one of another implementation
 * (decision 2). Throws `state-pointer-corrupt` (exit 1) for anything else.
 */
export function readActivePointer(paths: ProjectPaths): ActivePointer | null {
  const bytes = readBytes(paths);
  if (bytes === null) return null;
  const stored = decode(bytes);
  const { stateHash, databaseFilename, migrationCount, updatedAt } = stored;
  if (typeof stateHash !== "string" || !/^[0-9a-f]{64}$/.test(stateHash)) {
    throw corrupt(`its "stateHash" is not 64 hexadecimal digits`);
  }
  if (typeof databaseFilename !== "string") throw corrupt(`it lacks "databaseFilename"`);
  if (!Number.isSafeInteger(migrationCount) || (migrationCount as number) < 0) {
    throw corrupt(`its "migrationCount" is not a whole number of zero or more`);
  }
  if (typeof updatedAt !== "string") throw corrupt(`it lacks "updatedAt"`);
  if (stored["stamp"] !== STATE_STAMP) return null;
  return { stateHash, databaseFilename, migrationCount: migrationCount as number, updatedAt };
}

/** Puts a pointer in place of the old one; a reader sees either. Throws `file-*` (exit 4). */
export function publishActivePointer(paths: ProjectPaths, pointer: ActivePointer): void {
  const { stateHash, databaseFilename, migrationCount, updatedAt } = pointer;
  const content = { stateHash, databaseFilename, migrationCount, updatedAt, stamp: STATE_STAMP };
  replaceFile(paths.activePointer, `${JSON.stringify(content, null, 2)}\n`, {
    mode: 0o644,
    temporary: `${paths.activePointer}.tmp`,
    label: NAME,
  });
}

function readBytes(paths: ProjectPaths): Uint8Array | null {
  try {
    return rereadRegularFile(paths.activePointer, { maxBytes: POINTER_BYTES, label: NAME });
  } catch (error) {
    if (!isFault(error)) throw error;
    // A directory is unreadable too, but no mode of it would help.
    const unreadable = error.fault === "file-unreadable" && error.details?.["shape"] === undefined;
    throw new TheurianError("state-pointer-corrupt", error.message, {
      remedy: unreadable
        ? `Check the modes of ${NAME} and of its directory with: ls -la .theurian/state`
        : CURE,
      cause: error,
    });
  }
}

const CURE = `Delete ${NAME}, then run: theurian migrate apply`;

function decode(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const text = decodeUtf8(bytes);
  if (text === null) throw corrupt("it is not valid UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw corrupt("it is not JSON");
    throw error;
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw corrupt("it is not a JSON object");
}

function corrupt(why: string): TheurianError {
  return new TheurianError("state-pointer-corrupt", `Cannot use ${NAME}: ${why}`, { remedy: CURE });
}

/** True when the pointer names a plain file, so that it cannot lead out of its directory. */
export function namesPlainFile({ databaseFilename: name }: ActivePointer): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("\0") &&
    !name.includes("\\") && basename(name) === name;
}
