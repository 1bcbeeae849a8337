import { closeSync, fchmodSync, fsyncSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasWritePointHook, writePoint } from "./_write_points.ts";

const encoder = new TextEncoder();

/** Bytes of what is to be written; text is UTF-8. */
export function bytesOf(data: Uint8Array | string): Uint8Array {
  return typeof data === "string" ? encoder.encode(data) : data;
}

/** A name of its own beside the target, short whatever the target's name is. */
export function uniqueSibling(path: string): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  const name = Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return join(dirname(path), `.theurian-${name}.tmp`);
}

/** How bytes land. */
export interface Landing {
  readonly mode: number;
  readonly exactMode?: boolean;
  readonly flush?: boolean;
}

/**
 * Creates a file exclusively (a link there, dangling too, makes it fail), writes and flushes it.
 * The caller removes what a failure leaves.
 */
export function landBytes(
  path: string,
  data: Uint8Array,
  { mode, exactMode = false, flush: isFlushed = true }: Landing,
  created: () => void,
): void {
  writePoint("create", path);
  const descriptor = openSync(path, "wx", mode);
  created();
  try {
    if (exactMode) fchmodSync(descriptor, mode);
    writeAll(descriptor, data, path);
    if (isFlushed) flush(descriptor, path);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes everything; a short write is continued. */
export function writeAll(descriptor: number, data: Uint8Array, path: string): void {
  writePoint("write", path);
  let written = 0;
  if (hasWritePointHook() && data.length > 1) {
    written = writeSync(descriptor, data, 0, data.length >> 1, null);
    writePoint("write-rest", path);
  }
  while (written < data.length) {
    written += writeSync(descriptor, data, written, data.length - written, null);
  }
}

/** Brings a descriptor's content to the disk. */
export function flush(descriptor: number, path: string): void {
  writePoint("flush", path);
  fsyncSync(descriptor);
}
