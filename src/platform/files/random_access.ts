import { closeSync, readSync } from "node:fs";
import { TheurianError } from "../errors.ts";
import { openChecked } from "./_checked_open.ts";
import { type Named, nameOf, systemRefusal } from "./_refusals.ts";

/** A regular file open for reading at any place; for files too large to read whole. */
export interface RandomAccessFile extends Disposable {
  /** Bytes when it was opened. */
  readonly size: number;
  /** The bytes from `offset`, fewer than `length` at the end of the file. */
  read(offset: number, length: number): Uint8Array;
}

/**
 * Opens a regular file for positional reads, under the rules of {@linkcode readRegularFile}; `null`
 * when nothing is there. Throws `file-link`, `file-irregular` or `file-unreadable`.
 */
export function openRandomAccess(path: string, named: Named = {}): RandomAccessFile | null {
  const file = openChecked(path, "read", named);
  if (file === null) return null;
  let open = true;
  return {
    size: file.size,
    read(offset: number, length: number): Uint8Array {
      if (!Number.isSafeInteger(offset) || offset < 0 || !open) {
        throw new TheurianError("file-unreadable", `Cannot read ${nameOf(path, named)} there`, {
          remedy: "Read inside the file while it is open",
        });
      }
      const buffer = new Uint8Array(Math.max(0, Math.min(length, file.size - offset)));
      try {
        let filled = 0;
        while (filled < buffer.length) {
          const rest = buffer.length - filled;
          const count = readSync(file.descriptor, buffer, filled, rest, offset + filled);
          if (count === 0) break;
          filled += count;
        }
        return buffer.subarray(0, filled);
      } catch (error) {
        throw systemRefusal("file-unreadable", "read", path, error, named);
      }
    },
    [Symbol.dispose]() {
      if (!open) return;
      open = false;
      closeSync(file.descriptor);
    },
  };
}
