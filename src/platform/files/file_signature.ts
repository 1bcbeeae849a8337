import { lookAt } from "./_checked_open.ts";

/** What tells, without reading it, that a regular file is still the one it was. */
export interface FileSignature {
  readonly device: number;
  readonly inode: number;
  /** Bytes. */
  readonly size: number;
  /** Last change of the content, in milliseconds since the epoch, maybe cut to whole seconds. */
  readonly modifiedMs: number;
  /** As `modifiedMs`, of content or entry; nobody can set it. */
  readonly changedMs: number;
}

/**
 * Looks at a path without following a link in its last part; `null` for anything but a regular file,
 * for a path that cannot be looked at, and where the system keeps no time of change. Two writes within
 * one second may leave one signature: trust it only when `changedMs` was
 * well past when it was taken.
 */
export function fileSignature(path: string): FileSignature | null {
  let info: Deno.FileInfo | null;
  try {
    info = lookAt(path);
  } catch {
    return null; // Told when it is read.
  }
  if (info === null || !info.isFile || !info.ino || info.ctime === null || info.mtime === null) {
    return null;
  }
  return {
    device: info.dev,
    inode: info.ino,
    size: info.size,
    modifiedMs: info.mtime.getTime(),
    changedMs: info.ctime.getTime(),
  };
}
