/**
 * What earlier loads found in the files of a set, so that a file which is still the same is neither
 * read nor parsed again. Lives in `.theurian/cache/`; sealed like a state file, because a committed
 * one would be believed. Losing it costs time and nothing else.
 *
 * @module
 */

import { join } from "node:path";
import { CORE_VERSION } from "../compat/mod.ts";
import { isFault } from "../platform/errors.ts";
import {
  decodeUtf8,
  ensureDirectory,
  type FileSignature,
  readRegularFileIfPresent,
  replaceFile,
} from "../platform/files/mod.ts";
import { isBuiltHere, type ProjectPaths, recordBuiltHere } from "../projects/mod.ts";
import type { Migration } from "./migration.ts";

/** Raised when a document that was accepted before could be refused now, or read another way. */
const RULES = 2;

/**
 * A signature is trusted only if the file had been left alone for this long when it was taken: times
 * may be whole seconds, so that a later change shows another one.
 */
const SETTLED_MS = 2000;

const CACHE_BYTES = 256 * 1024 * 1024;

interface KnownMigration {
  readonly checksum: string;
  /** Git's SHA-1 name of the bytes. */
  readonly blobId: string | null;
  readonly migration: Migration;
}

type MigrationRow = readonly [
  name: string,
  signature: string | null,
  checksum: string,
  blobId: string | null,
  migration: Migration,
];
type BodyRow = readonly [path: string, signature: string, sha256: string];

interface Content {
  readonly seal: string;
  readonly migrations: readonly MigrationRow[];
  readonly bodies: readonly BodyRow[];
}

/** Path of the cache. */
export function sourceCachePath(paths: ProjectPaths): string {
  return join(paths.cache, "migrations.json");
}

/**
 * Answers from the last cache and collects the next one. What was asked and answered, or noted, in
 * this load makes up the next; the rest is dropped.
 */
export class SourceCache {
  readonly #seal: string | null;
  readonly #byName = new Map<string, MigrationRow>();
  readonly #byChecksum = new Map<string, Migration>();
  readonly #byPath = new Map<string, BodyRow>();
  readonly #migrations = new Map<string, MigrationRow>();
  readonly #bodies = new Map<string, BodyRow>();
  readonly #now: number;
  readonly #rows: number;
  #changed = false;

  /** `now`: milliseconds since the epoch, when the load begins. */
  constructor(content: Content | null, now: number) {
    this.#seal = content?.seal ?? null;
    this.#now = now;
    for (const row of content?.migrations ?? []) {
      this.#byName.set(row[0], row);
      this.#byChecksum.set(row[2], row[4]);
    }
    for (const row of content?.bodies ?? []) this.#byPath.set(row[0], row);
    this.#rows = this.#byName.size + this.#byPath.size;
  }

  /** The migration of a file that still has its signature. */
  migrationAt(name: string, signature: FileSignature | null): KnownMigration | null {
    const row = this.#byName.get(name);
    if (row === undefined || signature === null || row[1] !== signature.text) return null;
    this.#migrations.set(name, row);
    return { checksum: row[2], blobId: row[3], migration: row[4] };
  }

  /** The migration that files of exactly these bytes held. */
  migrationOf(checksum: string): Migration | null {
    return this.#byChecksum.get(checksum) ?? null;
  }

  noteMigration(
    name: string,
    signature: FileSignature | null,
    { checksum, blobId, migration }: KnownMigration,
  ): void {
    const settled = this.#settled(signature);
    const row = this.#byName.get(name);
    if (row?.[1] !== settled || row?.[2] !== checksum) this.#changed = true;
    this.#migrations.set(name, [name, settled, checksum, blobId, migration]);
  }

  /** SHA-256 of a body that still has its signature; it was valid UTF-8 then. */
  bodyAt(path: string, signature: FileSignature): string | null {
    const row = this.#byPath.get(path);
    if (row === undefined || row[1] !== signature.text) return null;
    this.#bodies.set(path, row);
    return row[2];
  }

  noteBody(path: string, signature: FileSignature | null, sha256: string): void {
    const settled = this.#settled(signature);
    if (settled === null) return;
    this.#changed = true;
    this.#bodies.set(path, [path, settled, sha256]);
  }

  #settled(signature: FileSignature | null): string | null {
    if (signature === null || signature.changedMs + SETTLED_MS > this.#now) return null;
    return signature.text;
  }

  /** Writes what this load found, unless it found what stands there. The caller holds the lock. */
  async save(paths: ProjectPaths, dataDirectory: string, mintSeal: () => string): Promise<void> {
    if (!this.#changed && this.#migrations.size + this.#bodies.size === this.#rows) return;
    const seal = this.#seal ?? mintSeal();
    const content = {
      version: CORE_VERSION,
      rules: RULES,
      seal,
      migrations: [...this.#migrations.values()],
      bodies: [...this.#bodies.values()],
    };
    try {
      ensureDirectory(paths.cache, { label: ".theurian/cache" });
      replaceFile(sourceCachePath(paths), JSON.stringify(content), {
        mode: 0o600,
        flush: false,
      });
      if (this.#seal === null) await recordBuiltHere(dataDirectory, paths.root, "seal", seal);
    } catch (error) {
      if (!isFault(error)) throw error; // The next load is slower; nothing else depends on it.
    }
  }
}

/**
 * The cache of a project; empty when there is none that this version of this installation wrote.
 * `now` is needed only to save what the load finds.
 */
export function openSourceCache(
  paths: ProjectPaths,
  dataDirectory: string,
  now = 0,
): SourceCache {
  return new SourceCache(readContent(paths, dataDirectory), now);
}

function readContent(paths: ProjectPaths, dataDirectory: string): Content | null {
  try {
    const bytes = readRegularFileIfPresent(sourceCachePath(paths), { maxBytes: CACHE_BYTES });
    const text = bytes === null ? null : decodeUtf8(bytes);
    if (text === null) return null;
    const content = JSON.parse(text) as Content & { version?: unknown; rules?: unknown };
    if (content?.version !== CORE_VERSION || content.rules !== RULES) return null;
    return isBuiltHere(dataDirectory, paths.root, "seal", content.seal) ? content : null;
  } catch (error) {
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
