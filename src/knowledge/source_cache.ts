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
import { type DocumentPlace, type KeptDocument, KnownDocuments } from "./_known_documents.ts";
import type { Migration } from "./migration.ts";
import type { MigrationOutline } from "./migration_outline.ts";
import { ENGINE_VERSION, STATE_SCHEMA_VERSION } from "./state_hash.ts";

/**
 * What a cache must have been written under. `rules` is raised when a document that was accepted before
 * could be refused now, or read another way.
 */
const VERSIONS = {
  version: CORE_VERSION,
  rules: 3,
  schema: STATE_SCHEMA_VERSION,
  engine: ENGINE_VERSION,
} as const;
const KEYS = Object.keys(VERSIONS) as (keyof typeof VERSIONS)[];

/**
 * A signature is trusted only if the file had been left alone for this long when it was taken: times
 * may be whole seconds, so that a later change shows another one.
 */
const SETTLED_MS = 2000;

const CACHE_BYTES = 256 * 1024 * 1024;

/** Lines of migrations that are gone take so many bytes at most, or as many as the rest. */
const MOST_GARBAGE = 256 * 1024;

/** A migration of which the outline is known; the whole of it is read when it is asked for. */
export interface KnownMigration {
  readonly checksum: string;
  /** Git's SHA-1 name of the bytes. */
  readonly blobId: string | null;
  readonly outline: MigrationOutline;
  /** The whole migration; `null` when it has to be read from its file. */
  whole(): Migration | null;
}

interface MigrationRow {
  readonly name: string;
  readonly signature: Signature | null;
  readonly checksum: string;
  readonly blobId: string | null;
  readonly place: readonly [offset: number, length: number] | null;
  readonly outline: MigrationOutline;
  /** Signatures of the bodies one after the other; zeros for one that had changed a moment ago. */
  readonly bodySignatures: readonly number[];
}

/** A file's signature as numbers in a row. */
type Signature = readonly number[];
/** Numbers in a signature. */
const WIDTH = 5;

interface Content {
  readonly seal: string;
  /** Hash of the state of all these migrations, as these versions compute it. */
  readonly stateHash: string;
  readonly migrations: readonly MigrationRow[];
}

/** What this load found about one migration. */
interface Found {
  readonly name: string;
  readonly signature: Signature | null;
  readonly known: Omit<KnownMigration, "whole">;
  /** Where the whole migration is kept, the migration when it is not kept yet, `null` for neither. */
  kept: DocumentPlace | Migration | null;
  readonly bodySignatures: number[];
}

/** Path of the cache. */
export function sourceCachePath(paths: ProjectPaths): string {
  return join(paths.cache, "migrations.json");
}

/** Path of the file that holds the whole migrations. */
export function knownDocumentsPath(paths: ProjectPaths): string {
  return join(paths.cache, "migrations.jsonl");
}

/**
 * Answers from the last cache and collects the next one. What was asked and answered, or noted, in
 * this load makes up the next; the rest is dropped.
 */
export class SourceCache {
  readonly #seal: string | null;
  readonly #documents: KnownDocuments | null;
  readonly #byName = new Map<string, MigrationRow>();
  readonly #byChecksum = new Map<string, MigrationRow>();
  /** Each body by the path it was named by; filled when it is first asked for. */
  #bodies: Map<string, readonly [row: MigrationRow, index: number]> | null = null;
  readonly #found = new Map<string, Found>();
  readonly #now: number;
  readonly #knownHash: string | null;
  #stateHash = "";
  #changed = false;

  /** `now`: milliseconds since the epoch, when the load begins. */
  constructor(content: Content | null, documentsPath: string | null, now: number) {
    this.#seal = content?.seal ?? null;
    this.#documents = content === null || documentsPath === null
      ? null
      : new KnownDocuments(documentsPath, content.seal);
    this.#knownHash = content?.stateHash ?? null;
    this.#now = now;
    for (const row of content?.migrations ?? []) {
      this.#byName.set(row.name, row);
      this.#byChecksum.set(row.checksum, row);
    }
  }

  /** The migration of a file that still has its signature. */
  migrationAt(name: string, signature: FileSignature | null): KnownMigration | null {
    const row = this.#byName.get(name);
    const isSame = row !== undefined && signature !== null && row.signature !== null &&
      isAt(row.signature, 0, signature);
    return isSame ? this.#know(row, name, row.signature) : null;
  }

  /** The migration that files of exactly these bytes held, now under a name of its own. */
  migrationOf(
    checksum: string,
    name: string,
    signature: FileSignature | null,
  ): KnownMigration | null {
    const row = this.#byChecksum.get(checksum);
    if (row === undefined) return null;
    this.#changed ||= row.name !== name || row.signature !== null || this.#isSettled(signature);
    return this.#know(row, name, this.#settled(signature));
  }

  #know(row: MigrationRow, name: string, signature: Signature | null): KnownMigration {
    const { checksum, blobId, place, outline } = row;
    const at = place === null ? null : { offset: place[0], length: place[1] };
    const whole = () => at === null ? null : this.#documents?.read(checksum, at) ?? null;
    const known = { checksum, blobId, outline };
    this.#found.set(name, {
      name,
      signature,
      known,
      kept: at,
      bodySignatures: [...row.bodySignatures],
    });
    return { ...known, whole };
  }

  /** Remembers a migration that was parsed in this load. */
  noteMigration(
    name: string,
    signature: FileSignature | null,
    known: Omit<KnownMigration, "whole">,
    migration: Migration,
  ): void {
    this.#changed = true;
    this.#found.set(name, {
      name,
      signature: this.#settled(signature),
      known,
      kept: migration,
      bodySignatures: new Array<number>(WIDTH * known.outline.bodies.files.length).fill(0),
    });
  }

  /** Remembers a whole migration that was known, but could not be read where it was kept. */
  noteWhole(name: string, migration: Migration): void {
    const found = this.#found.get(name);
    if (found === undefined) return;
    found.kept = migration;
    this.#changed = true;
  }

  /**
   * True when a body still has the signature that it had when its bytes had this hash and were valid
   * UTF-8. `index` is its place among the bodies of the migration `name`.
   */
  isKnownBody(name: string, index: number, signature: FileSignature): boolean {
    const found = this.#found.get(name);
    if (found === undefined) return false;
    if (isAt(found.bodySignatures, WIDTH * index, signature)) return true;
    // A migration that was edited may name bodies that it named before.
    if (isPlace(found.kept) || !this.#byName.has(name)) return false;
    const { files, hashes } = found.known.outline.bodies;
    this.#bodies ??= bodiesByFile(this.#byName.values());
    const [row, at] = this.#bodies.get(files[index]!) ?? [];
    const isSame = row !== undefined && row.outline.bodies.hashes[at!] === hashes[index] &&
      isAt(row.bodySignatures, WIDTH * at!, signature);
    if (isSame) this.#setBody(found, index, signature);
    return isSame;
  }

  /** Remembers a body that was read in this load and has its hash. */
  noteBody(name: string, index: number, signature: FileSignature | null): void {
    const found = this.#found.get(name);
    if (found !== undefined && signature !== null && this.#isSettled(signature)) {
      this.#setBody(found, index, signature);
    }
  }

  #setBody({ bodySignatures }: Found, index: number, signature: FileSignature): void {
    numbersOf(signature).forEach((value, i) => bodySignatures[WIDTH * index + i] = value);
    this.#changed = true;
  }

  #settled(signature: FileSignature | null): Signature | null {
    return signature !== null && this.#isSettled(signature) ? numbersOf(signature) : null;
  }

  #isSettled(signature: FileSignature | null): boolean {
    return signature !== null && signature.changedMs + SETTLED_MS <= this.#now;
  }

  /** Hash of the state, when everything that was asked for in this load was known, and is all. */
  get knownStateHash(): string | null {
    return this.#isAsBefore ? this.#knownHash : null;
  }

  /** Remembers the hash that the set of this load has. */
  noteStateHash(stateHash: string): void {
    this.#stateHash = stateHash;
  }

  get #isAsBefore(): boolean {
    return !this.#changed && this.#found.size === this.#byName.size;
  }

  /** Writes what this load found, unless it found what stands there. The caller holds the lock. */
  async save(paths: ProjectPaths, dataDirectory: string, mintSeal: () => string): Promise<void> {
    if (this.#isAsBefore) return;
    const seal = this.#seal ?? mintSeal();
    const documents = this.#documents ?? new KnownDocuments(knownDocumentsPath(paths), seal);
    try {
      ensureDirectory(paths.cache, { label: ".theurian/cache" });
      const migrations = keepDocuments(documents, [...this.#found.values()]);
      replaceFile(
        sourceCachePath(paths),
        JSON.stringify({ ...VERSIONS, seal, stateHash: this.#stateHash, migrations }),
        { mode: 0o600, flush: false },
      );
      if (this.#seal === null) await recordBuiltHere(dataDirectory, paths.root, "seal", seal);
    } catch (error) {
      if (!isFault(error)) throw error; // The next load is slower; nothing else depends on it.
    }
  }
}

/** Appends the migrations that are not kept yet, or keeps all anew when too many are gone. */
function keepDocuments(documents: KnownDocuments, found: readonly Found[]): MigrationRow[] {
  let live = 0;
  for (const { kept } of found) if (isPlace(kept)) live += kept.length;
  const isWasteful = documents.size > 2 * live + MOST_GARBAGE;
  const fresh: KeptDocument[] = [];
  const places = found.map(({ kept, known }) => {
    if (kept === null || (isPlace(kept) && !isWasteful)) return kept;
    const migration = isPlace(kept) ? documents.read(known.checksum, kept) : kept;
    if (migration === null) return null;
    fresh.push({ checksum: known.checksum, migration });
    return fresh.length - 1;
  });
  const written = isWasteful
    ? documents.rewrite(fresh)
    : fresh.length > 0
    ? documents.append(fresh)
    : [];
  return found.map((one, i) => {
    const place = places[i]!;
    return packRow(one, typeof place === "number" ? written[place]! : place);
  });
}

function isPlace(kept: Found["kept"]): kept is DocumentPlace {
  return kept !== null && "offset" in kept;
}

function packRow(found: Found, place: DocumentPlace | null): MigrationRow {
  const { outline, checksum, blobId } = found.known;
  return {
    name: found.name,
    signature: found.signature,
    checksum,
    blobId,
    place: place === null ? null : [place.offset, place.length],
    outline,
    bodySignatures: found.bodySignatures,
  };
}

function numbersOf(signature: FileSignature): Signature {
  const { device, inode, size, modifiedMs, changedMs } = signature;
  return [device, inode, size, modifiedMs, changedMs];
}

/** True when the numbers from `at` on are those of the signature. */
function isAt(numbers: readonly number[], at: number, signature: FileSignature): boolean {
  return numbers[at + 1] === signature.inode && numbers[at + 4] === signature.changedMs &&
    numbers[at + 3] === signature.modifiedMs && numbers[at + 2] === signature.size &&
    numbers[at] === signature.device;
}

function bodiesByFile(rows: Iterable<MigrationRow>) {
  const bodies = new Map<string, readonly [row: MigrationRow, index: number]>();
  for (const row of rows) {
    for (const [index, file] of row.outline.bodies.files.entries()) bodies.set(file, [row, index]);
  }
  return bodies;
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
  return new SourceCache(readContent(paths, dataDirectory), knownDocumentsPath(paths), now);
}

function readContent(paths: ProjectPaths, dataDirectory: string): Content | null {
  try {
    const bytes = readRegularFileIfPresent(sourceCachePath(paths), { maxBytes: CACHE_BYTES });
    const text = bytes === null ? null : decodeUtf8(bytes);
    if (text === null) return null;
    const content = JSON.parse(text) as Content & Partial<typeof VERSIONS>;
    if (content === null || !KEYS.every((key) => content[key] === VERSIONS[key])) return null;
    return isBuiltHere(dataDirectory, paths.root, "seal", content.seal) ? content : null;
  } catch (error) {
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
