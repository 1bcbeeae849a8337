import { closeSync, readSync } from "node:fs";
import { TheurianError } from "../errors.ts";
import { type CheckedFile, openChecked } from "./_checked_open.ts";
import { type Named, nameOf, sizeRefusal, systemRefusal } from "./_refusals.ts";
import { shellQuote } from "../shell_quote.ts";
import { SOURCE_FILE_BYTES } from "./limits.ts";

/** How a file is read. */
export interface ReadOptions extends Named {
  /** Most bytes that are accepted; {@linkcode SOURCE_FILE_BYTES} unless given. */
  readonly maxBytes?: number;
}

/** A file's bytes and where they came from. */
export interface SourceFile {
  readonly bytes: Uint8Array;
  /** Absolute, with every link resolved. */
  readonly path: string;
  /** `device:inode`: equal for two spellings and for hard links of one file. */
  readonly identity: string;
}

/**
 * Reads a regular file without following a link in the last part, bounded, never waiting on a pipe
 * (daemon-and-setup.md 9.2). Throws `file-missing`, `file-link`, `file-irregular`, `file-too-large`
 * or `file-unreadable` (a directory too).
 */
export function readRegularFile(path: string, options: ReadOptions = {}): Uint8Array {
  return readIdentified(path, options).bytes;
}

/** As {@linkcode readRegularFile}, but `null` when nothing is there; every other fault is thrown. */
export function readRegularFileIfPresent(
  path: string,
  options: ReadOptions = {},
): Uint8Array | null {
  const file = openChecked(path, "read", options);
  return file === null ? null : readChecked(file, path, options);
}

/** As {@linkcode readRegularFile}, with the file's identity. */
export function readIdentified(path: string, options: ReadOptions): SourceFile {
  const file = openChecked(path, "read", options);
  if (file === null) {
    throw new TheurianError(
      "file-missing",
      `Cannot read ${nameOf(path, options)}: it does not exist`,
      { remedy: `Check the path with: ls -l ${shellQuote(path)}` },
    );
  }
  return { bytes: readChecked(file, path, options), path, identity: file.identity };
}

function readChecked(file: CheckedFile, path: string, options: ReadOptions): Uint8Array {
  const limit = options.maxBytes ?? SOURCE_FILE_BYTES;
  try {
    if (file.size > limit) throw sizeRefusal(path, limit, options);
    return readBounded(file, limit, () => sizeRefusal(path, limit, options));
  } catch (error) {
    throw systemRefusal("file-unreadable", "read", path, error, options);
  } finally {
    closeSync(file.descriptor);
  }
}

// A file that gives its whole size at once is done; one that grew meanwhile, or that tells no size, is
// read on, up to one byte beyond the limit.
function readBounded(file: CheckedFile, limit: number, tooLarge: () => Error): Uint8Array {
  let buffer = new Uint8Array(file.size + 1);
  let length = 0;
  while (true) {
    if (length === buffer.length) {
      if (length > limit) throw tooLarge();
      const larger = new Uint8Array(Math.min(limit + 1, buffer.length * 2 + 1024));
      larger.set(buffer);
      buffer = larger;
    }
    const count = readSync(file.descriptor, buffer, length, buffer.length - length, null);
    if (count === 0) return buffer.subarray(0, length);
    length += count;
    if (length > limit) throw tooLarge();
    if (length === file.size) return buffer.subarray(0, length);
  }
}
