import { closeSync, readSync } from "node:fs";
import { openChecked } from "./_checked_open.ts";
import { type Named, systemRefusal } from "./_refusals.ts";

/**
 * The last `most` bytes of a regular file, from the first whole line on when it is longer; `null`
 * when it is absent. Throws as `readRegularFile` does, but for its size.
 */
export function readFileEnd(path: string, most: number, named: Named = {}): Uint8Array | null {
  try {
    const file = openChecked(path, "read", named);
    if (file === null) return null;
    try {
      return bytesAtEnd(file.descriptor, file.size, most);
    } finally {
      closeSync(file.descriptor);
    }
  } catch (error) {
    throw systemRefusal("file-unreadable", "read", path, error, named);
  }
}

function bytesAtEnd(descriptor: number, size: number, most: number): Uint8Array {
  const start = Math.max(size - most, 0);
  const bytes = new Uint8Array(size - start);
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(descriptor, bytes, filled, bytes.length - filled, start + filled);
    if (read === 0) break;
    filled += read;
  }
  const whole = bytes.subarray(0, filled);
  return start === 0 ? whole : whole.subarray(whole.indexOf(0x0a) + 1);
}
