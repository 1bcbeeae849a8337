import { TheurianError } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { SourceReader } from "./_source_reader.ts";
import type { Migration } from "./migration.ts";
import type { OutlinedBodies } from "./migration_outline.ts";
import type { BodySource } from "./migration_set.ts";

/** Bytes of bodies that are held in memory; what a load reads beyond is read again when it is needed. */
const MOST_HELD = 64 * 1024 * 1024;

/** Bodies of a set: in memory where they were read, from their file where that was known already. */
export class LoadedBodies implements BodySource {
  readonly #reader: SourceReader;
  readonly #mostHeld: number;
  readonly #read = new Map<string, Uint8Array>();
  #held = 0;
  readonly #later: LaterBodies[] = [];
  /** Where bodies are, by hash; filled when one is asked for that was not read. */
  #files: Map<string, readonly [of: LaterBodies, index: number]> | null = null;

  constructor(reader: SourceReader, mostHeld = MOST_HELD) {
    this.#reader = reader;
    this.#mostHeld = mostHeld;
  }

  /** Keeps bytes that were read and compared with their pin, as long as there is room. */
  now(contentSha256: string, bytes: Uint8Array): void {
    if (this.#held + bytes.length > this.#mostHeld) return;
    this.#held += bytes.length;
    this.#read.set(contentSha256, bytes);
  }

  /** Remembers where the bytes of a migration's bodies are; `path` is that of the migration. */
  later(path: string, migration: Migration, bodies: OutlinedBodies): void {
    this.#later.push({ path, migration, bodies });
  }

  get(contentSha256: string): Uint8Array | undefined {
    const read = this.#read.get(contentSha256);
    const found = read === undefined ? this.#known().get(contentSha256) : undefined;
    if (found === undefined) return read;
    const [{ path, migration, bodies }, index] = found;
    const label = bodyLabel(path, bodyLocation(migration, index));
    return rereadFile(this.#reader, bodies.files[index]!, label, contentSha256);
  }

  #known() {
    if (this.#files !== null) return this.#files;
    this.#files = new Map();
    for (const later of this.#later) {
      for (const [index, hash] of later.bodies.hashes.entries()) {
        this.#files.set(hash, [later, index]);
      }
    }
    return this.#files;
  }
}

interface LaterBodies {
  readonly path: string;
  readonly migration: Migration;
  readonly bodies: OutlinedBodies;
}

/** Where a migration names its body number `index`, from 0. */
export function bodyLocation({ operations }: Migration, index: number): string {
  let left = index;
  const at = operations.findIndex(({ op }) => op === "upsertRevision" && left-- === 0);
  return `operations/${at}/contentFile`;
}

/** What stands for a body's file in refusals; `path` is that of the migration. */
export function bodyLabel(path: string, location: string): string {
  return `the body that ${path} names at ${location}`;
}

/** Bytes of a file that was known by its signature; refuses other bytes than were known. */
export function rereadFile(
  reader: SourceReader,
  request: string,
  label: string,
  sha256: string,
): Uint8Array {
  const { bytes } = reader.read(request, label);
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new TheurianError("migration-invalid", `Cannot use ${label}: it was changed just now`, {
    remedy: "Run the command again",
  });
}
