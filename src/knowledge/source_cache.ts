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
import type { MigrationOutline, OutlinedBody } from "./migration_outline.ts";

/** Raised when a document that was accepted before could be refused now, or read another way. */
const RULES = 3;

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

/** A body is written as five values in a row. */
type BodyValues = (number | string)[];

interface MigrationRow {
  readonly name: string;
  readonly signature: string | null;
  readonly checksum: string;
  readonly blobId: string | null;
  readonly place: readonly [offset: number, length: number] | null;
  readonly outline: Omit<MigrationOutline, "bodies"> & { readonly bodies: BodyValues };
  /** Signatures of the bodies in order; `null` for one that had changed a moment ago. */
  readonly bodySignatures: readonly (string | null)[];
}

interface Content {
  readonly seal: string;
  readonly migrations: readonly MigrationRow[];
}

/** What this load found about one migration. */
interface Found {
  readonly name: string;
  readonly signature: string | null;
  readonly known: Omit<KnownMigration, "whole">;
  /** Where the whole migration is kept, the migration when it is not kept yet, `null` for neither. */
  kept: DocumentPlace | Migration | null;
  readonly bodySignatures: (string | null)[];
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
  /** Signature and hash of each body by the path it was named by; filled when it is first asked for. */
  #bodies: Map<string, readonly [signature: string, sha256: string]> | null = null;
  readonly #found = new Map<string, Found>();
  readonly #now: number;
  #changed = false;

  /** `now`: milliseconds since the epoch, when the load begins. */
  constructor(content: Content | null, documentsPath: string | null, now: number) {
    this.#seal = content?.seal ?? null;
    this.#documents = content === null || documentsPath === null
      ? null
      : new KnownDocuments(documentsPath, content.seal);
    this.#now = now;
    for (const row of content?.migrations ?? []) {
      this.#byName.set(row.name, row);
      this.#byChecksum.set(row.checksum, row);
    }
  }

  /** The migration of a file that still has its signature. */
  migrationAt(name: string, signature: FileSignature | null): KnownMigration | null {
    const row = this.#byName.get(name);
    if (row === undefined || signature === null || row.signature !== signature.text) return null;
    return this.#know(row, name, row.signature);
  }

  /** The migration that files of exactly these bytes held, now under a name of its own. */
  migrationOf(
    checksum: string,
    name: string,
    signature: FileSignature | null,
  ): KnownMigration | null {
    const row = this.#byChecksum.get(checksum);
    if (row === undefined) return null;
    const settled = this.#settled(signature);
    if (row.name !== name || row.signature !== settled) this.#changed = true;
    return this.#know(row, name, settled);
  }

  #know(row: MigrationRow, name: string, signature: string | null): KnownMigration {
    const { checksum, blobId, place } = row;
    const at = place === null ? null : { offset: place[0], length: place[1] };
    const whole = () => at === null ? null : this.#documents?.read(checksum, at) ?? null;
    const known = { checksum, blobId, outline: unpackOutline(row) };
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
      bodySignatures: known.outline.bodies.map(() => null),
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
  isKnownBody(
    name: string,
    index: number,
    body: OutlinedBody,
    signature: FileSignature,
  ): boolean {
    const signatures = this.#found.get(name)?.bodySignatures;
    if (signatures === undefined) return false;
    if (signatures[index] === signature.text) return true;
    const known = this.#bodyOf(body.contentFile);
    if (known?.[0] !== signature.text || known[1] !== body.contentSha256) return false;
    signatures[index] = signature.text;
    this.#changed = true;
    return true;
  }

  /** Remembers a body that was read in this load and has its hash. */
  noteBody(name: string, index: number, signature: FileSignature): void {
    const settled = this.#settled(signature);
    const signatures = this.#found.get(name)?.bodySignatures;
    if (signatures === undefined || settled === null) return;
    signatures[index] = settled;
    this.#changed = true;
  }

  #bodyOf(contentFile: string): readonly [string, string] | undefined {
    this.#bodies ??= bodiesByFile(this.#byName.values());
    return this.#bodies.get(contentFile);
  }

  #settled(signature: FileSignature | null): string | null {
    if (signature === null || signature.changedMs + SETTLED_MS > this.#now) return null;
    return signature.text;
  }

  /** Writes what this load found, unless it found what stands there. The caller holds the lock. */
  async save(paths: ProjectPaths, dataDirectory: string, mintSeal: () => string): Promise<void> {
    if (!this.#changed && this.#found.size === this.#byName.size) return;
    const seal = this.#seal ?? mintSeal();
    const documents = this.#documents ?? new KnownDocuments(knownDocumentsPath(paths), seal);
    try {
      ensureDirectory(paths.cache, { label: ".theurian/cache" });
      const migrations = keepDocuments(documents, [...this.#found.values()]);
      replaceFile(
        sourceCachePath(paths),
        JSON.stringify({ version: CORE_VERSION, rules: RULES, seal, migrations }),
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
  const bodies = outline.bodies.flatMap((
    { operationIndex, itemId, revisionId, contentFile, contentSha256 },
  ) => [operationIndex, itemId, revisionId, contentFile, contentSha256]);
  return {
    name: found.name,
    signature: found.signature,
    checksum,
    blobId,
    place: place === null ? null : [place.offset, place.length],
    outline: { ...outline, bodies },
    bodySignatures: found.bodySignatures,
  };
}

function unpackOutline({ outline }: MigrationRow): MigrationOutline {
  const bodies: OutlinedBody[] = [];
  for (let at = 0; at < outline.bodies.length; at += 5) bodies.push(bodyAt(outline.bodies, at));
  return { ...outline, bodies };
}

function bodyAt(values: BodyValues, at: number): OutlinedBody {
  return {
    operationIndex: values[at] as number,
    itemId: values[at + 1] as string,
    revisionId: values[at + 2] as string,
    contentFile: values[at + 3] as string,
    contentSha256: values[at + 4] as string,
  };
}

function bodiesByFile(rows: Iterable<MigrationRow>) {
  const bodies = new Map<string, readonly [signature: string, sha256: string]>();
  for (const { outline, bodySignatures } of rows) {
    for (const [index, signature] of bodySignatures.entries()) {
      const { contentFile, contentSha256 } = bodyAt(outline.bodies, 5 * index);
      if (signature !== null) bodies.set(contentFile, [signature, contentSha256]);
    }
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
    const content = JSON.parse(text) as Content & { version?: unknown; rules?: unknown };
    if (content?.version !== CORE_VERSION || content.rules !== RULES) return null;
    return isBuiltHere(dataDirectory, paths.root, "seal", content.seal) ? content : null;
  } catch (error) {
    if (isFault(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
