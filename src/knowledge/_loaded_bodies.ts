import { TheurianError } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { SourceReader } from "./_source_reader.ts";
import type { OutlinedBody } from "./migration_outline.ts";
import type { BodySource } from "./migration_set.ts";

/** Bodies of a set: in memory where they were read, from their file where that was known already. */
export class LoadedBodies implements BodySource {
  readonly #reader: SourceReader;
  readonly #read = new Map<string, Uint8Array>();
  readonly #files = new Map<string, { readonly path: string; readonly body: OutlinedBody }>();

  constructor(reader: SourceReader) {
    this.#reader = reader;
  }

  /** Keeps bytes that were read and compared with their pin. */
  now(contentSha256: string, bytes: Uint8Array): void {
    this.#read.set(contentSha256, bytes);
  }

  /** Remembers where the bytes are; `path` is that of the migration. */
  later(path: string, body: OutlinedBody): void {
    this.#files.set(body.contentSha256, { path, body });
  }

  get(contentSha256: string): Uint8Array | undefined {
    const read = this.#read.get(contentSha256);
    const file = this.#files.get(contentSha256);
    if (read !== undefined || file === undefined) return read;
    const { path, body } = file;
    return rereadFile(this.#reader, body.contentFile, bodyLabel(path, body), contentSha256);
  }
}

/** What stands for a body's file in refusals; `path` is that of the migration. */
export function bodyLabel(path: string, { operationIndex }: OutlinedBody): string {
  return `the body that ${path} names at operations/${operationIndex}/contentFile`;
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
