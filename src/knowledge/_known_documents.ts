/**
 * Whole migrations as earlier loads parsed them, in a file of one line each that is only read where the
 * outline does not do. Sealed like the cache it belongs to; what cannot be read from it is parsed again.
 */

import { isFault } from "../platform/errors.ts";
import {
  appendToFile,
  decodeUtf8,
  openRandomAccess,
  readRegularFileIfPresent,
  replaceFile,
} from "../platform/files/mod.ts";
import type { Migration } from "./migration.ts";

/** Where a migration's line stands: its first byte, and how many bytes it has. */
export interface DocumentPlace {
  readonly offset: number;
  readonly length: number;
}

/** A migration to keep. */
export interface KeptDocument {
  readonly checksum: string;
  readonly migration: Migration;
}

const encoder = new TextEncoder();

/** Lines that are read one by one; whoever asks for more is going to ask for most. */
const FEW = 8;
const MOST_BYTES = 1 << 30;

/** The file of one project's cache. It is open only while it is read. */
export class KnownDocuments {
  readonly #path: string;
  readonly #header: Uint8Array;
  #reads = 0;
  /** The whole file, once many lines were asked for. */
  #bytes: Uint8Array | null = null;

  /** `seal` is the one that the cache was vouched for under. */
  constructor(path: string, seal: string) {
    this.#path = path;
    this.#header = encoder.encode(`${JSON.stringify({ seal })}\n`);
  }

  /** The migration at a place, if the line there is that of this checksum. */
  read(checksum: string, place: DocumentPlace): Migration | null {
    try {
      const bytes = ++this.#reads > FEW ? this.#lineOfAll(place) : this.#lineOfFile(place);
      const line = bytes === null ? null : decodeUtf8(bytes);
      const isWhole = line !== null && line.startsWith(`${checksum} `) && line.endsWith("\n");
      return isWhole ? JSON.parse(line.slice(checksum.length + 1)) as Migration : null;
    } catch (error) {
      if (isFault(error) || error instanceof SyntaxError) return null;
      throw error;
    }
  }

  /** Adds lines behind the others and answers their places. Throws `file-*`. */
  append(documents: readonly KeptDocument[]): DocumentPlace[] {
    const { size } = this;
    if (size === 0) return this.rewrite(documents);
    const { lines, places } = layOut(documents, size);
    appendToFile(this.#path, lines, { mode: 0o600 });
    return places;
  }

  /** Replaces all lines and answers the places of the new ones. Throws `file-*`. */
  rewrite(documents: readonly KeptDocument[]): DocumentPlace[] {
    const { lines, places } = layOut(documents, this.#header.length);
    const header = new TextDecoder().decode(this.#header);
    replaceFile(this.#path, header + lines, { mode: 0o600, flush: false });
    this.#bytes = null;
    return places;
  }

  /** Bytes of the file; 0 when there is none of this seal. Throws `file-*`. */
  get size(): number {
    using file = openRandomAccess(this.#path);
    return file !== null && this.#isOurs(file.read(0, this.#header.length)) ? file.size : 0;
  }

  #lineOfFile({ offset, length }: DocumentPlace): Uint8Array | null {
    using file = openRandomAccess(this.#path);
    const isOurs = file !== null && this.#isOurs(file.read(0, this.#header.length));
    return isOurs ? file.read(offset, length) : null;
  }

  #lineOfAll({ offset, length }: DocumentPlace): Uint8Array | null {
    this.#bytes ??= readRegularFileIfPresent(this.#path, { maxBytes: MOST_BYTES }) ??
      new Uint8Array();
    return this.#isOurs(this.#bytes) ? this.#bytes.subarray(offset, offset + length) : null;
  }

  #isOurs(bytes: Uint8Array): boolean {
    return bytes.length >= this.#header.length &&
      this.#header.every((byte, i) => byte === bytes[i]);
  }
}

function layOut(documents: readonly KeptDocument[], start: number) {
  const places: DocumentPlace[] = [];
  let offset = start;
  let lines = "";
  for (const { checksum, migration } of documents) {
    const line = `${checksum} ${JSON.stringify(migration)}\n`;
    const length = encoder.encode(line).length;
    places.push({ offset, length });
    offset += length;
    lines += line;
  }
  return { lines, places };
}
