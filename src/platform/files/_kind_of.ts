import type { PathKind } from "./describe_path.ts";

/** Kind of what an `lstat` of the runtime describes. */
export function kindOf(info: Deno.FileInfo): PathKind {
  if (info.isFile) return "file";
  if (info.isDirectory) return "directory";
  if (info.isSymlink) return "link";
  if (info.isFifo) return "pipe";
  if (info.isSocket) return "socket";
  if (info.isCharDevice) return "character-device";
  if (info.isBlockDevice) return "block-device";
  return "other";
}
