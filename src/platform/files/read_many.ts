import { closeSync, readSync } from "node:fs";
import { isFault } from "../errors.ts";
import { type CheckedFile, openChecked } from "./_checked_open.ts";
import { sizeRefusal, systemRefusal } from "./_refusals.ts";
import { describePath } from "./describe_path.ts";
import { SOURCE_FILE_BYTES } from "./limits.ts";
import { type ReadOptions, readRegularFile } from "./read_file.ts";

/** A file's bytes, and what it was when it was opened. */
export interface ReadFile {
  /** Only good until the next read: decode them at once. */
  readonly bytes: Uint8Array;
  /** Changes when another file is put there or the file is written; see {@linkcode fileMark}. */
  readonly mark: string;
}

/** Reads many small files, one after the other, into one buffer. */
export interface FileReader {
  /** As {@linkcode readRegularFile}. */
  read(path: string, options?: ReadOptions): ReadFile;
}

/**
 * What a path looks like from outside: equal to an earlier mark when the same regular file is there
 * with the same size and times. Anything else that is there, or is not, has a mark too.
 */
export function fileMark(path: string): string {
  try {
    const facts = describePath(path);
    if (facts?.kind !== "file") return facts?.kind ?? "absent";
    return markOf(`${facts.device}:${facts.inode}`, facts);
  } catch (error) {
    if (isFault(error)) return "unknown";
    throw error;
  }
}

/** The time of change is there because an edit can put the other one back. */
function markOf(
  identity: string,
  { size, modifiedNs, changedNs }: Pick<CheckedFile, "size" | "modifiedNs" | "changedNs">,
): string {
  return `${identity} ${size} ${modifiedNs} ${changedNs}`;
}

const BUFFER_BYTES = 256 * 1024;

/** A reader for a walk over thousands of files, which allocates little for each of them. */
export function fileReader(): FileReader {
  const buffer = new Uint8Array(BUFFER_BYTES);
  return {
    read(path, options = {}) {
      const file = openChecked(path, "read", options);
      if (file === null) return { bytes: readRegularFile(path, options), mark: "absent" };
      const mark = markOf(file.identity, file);
      const bytes = readInto(file, buffer, path, options) ?? readRegularFile(path, options);
      return { bytes, mark };
    },
  };
}

/** Reads into the buffer; `null` when the file does not fit, and needs one of its own. */
function readInto(
  file: CheckedFile,
  buffer: Uint8Array,
  path: string,
  options: ReadOptions,
): Uint8Array | null {
  const limit = options.maxBytes ?? SOURCE_FILE_BYTES;
  try {
    let length = 0;
    while (file.size < buffer.length && length < buffer.length) {
      const count = readSync(file.descriptor, buffer, length, buffer.length - length, null);
      if (count === 0) return buffer.subarray(0, length);
      length += count;
      if (length > limit) throw sizeRefusal(path, limit, options);
    }
    return null;
  } catch (error) {
    throw systemRefusal("file-unreadable", "read", path, error, options);
  } finally {
    closeSync(file.descriptor);
  }
}
