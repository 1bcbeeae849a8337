import { errorKind } from "../errors.ts";

/** Why the operating system refused, in our words: no path, no message of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  ENOTDIR: "a part of its path is not a directory",
  EISDIR: "it is a directory",
  EACCES: "the operating system refuses permission",
  EPERM: "the operating system refuses permission",
  EEXIST: "something is there already",
  ENOTEMPTY: "a directory is not empty",
  ELOOP: "its symbolic links lead in a circle",
  ENAMETOOLONG: "a name is too long for the file system",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EFBIG: "the file would be larger than the file system allows",
  EIO: "the disk reports an error",
  EXDEV: "it would cross to another file system",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EBUSY: "it is in use",
  ETXTBSY: "it is in use",
  ENXIO: "nothing can be read or written there",
  ERR_INVALID_ARG_VALUE: "its path holds a NUL character",
  NotCapable: "this command does not hold that permission",
};

/** The errno of a thrown value, or `null` when it carries none. */
export function errnoOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : null;
}

/** True when the path, or a directory on the way to it, is not there. */
export function isAbsent(error: unknown): boolean {
  const code = errnoOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Half a sentence: why the system refused. */
export function osReason(error: unknown): string {
  const kind = errorKind(error);
  return REASONS[kind] ?? `the operating system answered ${kind}`;
}
