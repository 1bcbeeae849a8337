import { TheurianError } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { SourceReader } from "./_source_reader.ts";
import type { BodySource } from "./migration_set.ts";

/** Bodies of a set: in memory where they were read, from their file where that was known already. */
export class LoadedBodies implements BodySource {
  readonly #reader: SourceReader;
  readonly #read = new Map<string, Uint8Array>();
  readonly #files = new Map<string, { readonly contentFile: string; readonly label: string }>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /** Keeps bytes that were read and compared with their pin. */
  now(contentSha256: string, bytes: Uint8Array): void {
    this.#read.set(contentSha256, bytes);
  }

  /** Remembers where the bytes are. */
  later(contentSha256: string, contentFile: string, label: string): void {
    this.#files.set(contentSha256, { contentFile, label });
  }

  get(contentSha256: string): Uint8Array | undefined {
    const file = this.#files.get(contentSha256);
    return this.#read.get(contentSha256) ??
      (file === undefined
        ? undefined
        : rereadFile(this.#reader, file.contentFile, file.label, contentSha256));
  }
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
