import { systemClock } from "../clock.ts";
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
  return info === null || !info.isFile ? null : signatureOf(info);
}

function signatureOf({ dev, ino, size, mtime, ctime }: Deno.FileInfo): FileSignature | null {
  if (!ino || ctime === null || mtime === null) return null;
  return {
    device: dev,
    inode: ino,
    size,
    modifiedMs: mtime.getTime(),
    changedMs: ctime.getTime(),
  };
}

/** Times may be cut to whole seconds: what changed a moment ago may change again unseen. */
const SETTLED_MS = 2000;

/** True when a change after this signature was taken would show in the next one. */
export function isSettled({ changedMs }: FileSignature): boolean {
  return changedMs + SETTLED_MS < systemClock.now();
}

/**
 * Tells, without listing it, that a directory still has the entries it had; `null` for anything but
 * a directory, and for one that changed a moment ago.
 */
export function directorySignature(path: string): string | null {
  let info: Deno.FileInfo | null;
  try {
    info = lookAt(path);
  } catch {
    return null;
  }
  if (info === null || !info.isDirectory) return null;
  const signature = signatureOf(info);
  if (signature === null || !isSettled(signature)) return null;
  const { device, inode, modifiedMs, changedMs } = signature;
  return `${device}:${inode}:${modifiedMs}:${changedMs}`;
}
