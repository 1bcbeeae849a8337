import { TheurianError } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { BodySource } from "./migration_set.ts";
import type { SourceReader } from "./_source_reader.ts";

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
    const read = this.#read.get(contentSha256);
    const file = this.#files.get(contentSha256);
    if (read !== undefined || file === undefined) return read;
    const { bytes } = this.#reader.read(file.contentFile, file.label);
    if (sha256Hex(bytes) === contentSha256) return bytes;
    throw new TheurianError(
      "migration-invalid",
      `Cannot use ${file.label}: it was changed just now`,
      {
        remedy: "Run the command again",
      },
    );
  }
}
