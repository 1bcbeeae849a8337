import { existsSync } from "node:fs";
import { kindOf } from "./_kind_of.ts";
import { isAbsent } from "./_os_reason.ts";
import { type Named, systemRefusal } from "./_refusals.ts";

/** What stands at a path. */
export type PathKind =
  | "file"
  | "directory"
  | "link"
  | "pipe"
  | "socket"
  | "character-device"
  | "block-device"
  | "other";

/** Facts about a path itself; a link is described, not followed. */
export interface PathFacts {
  readonly kind: PathKind;
  readonly device: bigint;
  readonly inode: bigint;
  /** Bytes. */
  readonly size: number;
  /** Permission bits, `0o7777` at most. */
  readonly mode: number;
  /** Last change of the content, in nanoseconds since the epoch; the runtime tells milliseconds. */
  readonly modifiedNs: bigint;
  /** Last change of content or entry, in nanoseconds since the epoch; the runtime tells seconds. */
  readonly changedNs: bigint;
}

/**
 * Describes a path without following a link in its last part; `null` when nothing is there. Throws
 * `file-unreadable` when the system does not let us look.
 */
export function describePath(path: string, named: Named = {}): PathFacts | null {
  try {
    const info = Deno.lstatSync(path);
    return {
      kind: kindOf(info),
      device: BigInt(info.dev),
      inode: BigInt(info.ino ?? 0),
      size: info.size,
      mode: (info.mode ?? 0) & 0o7777,
      modifiedNs: nanoseconds(info.mtime),
      changedNs: nanoseconds(info.ctime),
    };
  } catch (error) {
    if (isAbsent(error)) return null;
    throw systemRefusal("file-unreadable", "look at", path, error, named);
  }
}

function nanoseconds(time: Date | null): bigint {
  return BigInt(time?.getTime() ?? 0) * 1_000_000n;
}

/** True when the path leads to something, through links too; one look, far cheaper than a description. */
export function leadsToSomething(path: string): boolean {
  return existsSync(path);
}

/** The path with every link resolved; `null` when it does not lead to anything. */
export function realPath(path: string): string | null {
  try {
    return Deno.realPathSync(path);
  } catch {
    return null;
  }
}
