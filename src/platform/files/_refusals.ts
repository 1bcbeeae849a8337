import { basename, dirname } from "node:path";
import { errorKind, type FaultCode, TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";
import { errnoOf, osReason } from "./_os_reason.ts";
import type { PathKind } from "./describe_path.ts";

/** How a refusal names a file; the absolute path stands in the remedy only. */
export interface Named {
  /** Text for the message instead of the base name, such as a project-relative path. */
  readonly label?: string;
}

const SHAPES: Readonly<Record<PathKind, string>> = {
  "file": "a regular file",
  "directory": "a directory",
  "link": "a symbolic link",
  "pipe": "a named pipe",
  "socket": "a socket",
  "character-device": "a character device",
  "block-device": "a block device",
  "other": "a special file",
};

/** The name a message shows for a path. */
export function nameOf(path: string, named: Named): string {
  return named.label ?? (basename(path) || path);
}

/** Refuses a path for what it is. Directories cannot be read or written; other shapes are irregular. */
export function shapeRefusal(
  action: "read" | "write" | "lock",
  path: string,
  kind: PathKind,
  named: Named,
): TheurianError {
  const fault: FaultCode = kind === "link"
    ? "file-link"
    : kind !== "directory"
    ? "file-irregular"
    : action === "read"
    ? "file-unreadable"
    : "file-not-writable";
  return new TheurianError(
    fault,
    `Cannot ${action} ${nameOf(path, named)}: it is ${SHAPES[kind]}, not a regular file`,
    {
      remedy: `See what is there with: ls -ld ${
        shellQuote(path)
      }; put a regular file in its place, then run the command again`,
      details: { shape: kind },
    },
  );
}

/** Refuses because the file changed its identity between the check and the open. */
export function replacedRefusal(
  action: "read" | "write" | "lock",
  path: string,
  named: Named,
): TheurianError {
  return new TheurianError(
    "file-link",
    `Cannot ${action} ${nameOf(path, named)}: it was replaced while it was being opened`,
    {
      remedy: `See what is there with: ls -ld ${shellQuote(path)}, then run the command again`,
      details: { shape: "replaced" },
    },
  );
}

/** Refuses a file over its limit, in bytes. */
export function sizeRefusal(path: string, limit: number, named: Named): TheurianError {
  return new TheurianError(
    "file-too-large",
    `Cannot read ${nameOf(path, named)}: it is larger than ${limit} bytes`,
    {
      remedy: `See its size with: ls -l ${shellQuote(path)}; split it or make it smaller`,
      details: { limit },
    },
  );
}

/** Turns an error of the operating system into a refusal. */
export function systemRefusal(
  fault: FaultCode,
  action: string,
  path: string,
  error: unknown,
  named: Named,
): TheurianError {
  if (error instanceof TheurianError) return error;
  return new TheurianError(fault, `Cannot ${action} ${nameOf(path, named)}: ${osReason(error)}`, {
    remedy: remedyFor(errnoOf(error), path),
    details: { errno: errorKind(error) },
    cause: error,
  });
}

function remedyFor(errno: string | null, path: string): string {
  switch (errno) {
    case "ENOSPC":
    case "EDQUOT":
      return "Free disk space (see: df -h), then run the command again";
    case "EROFS":
      return "Make the file system writable, then run the command again";
    case "EMFILE":
    case "ENFILE":
      return "Raise the limit of open files (see: ulimit -n), then run the command again";
    case "ENOENT":
      return `Check that it exists with: ls -l ${shellQuote(path)}, then run the command again`;
    default:
      return `Check its owner and mode with: ls -ld ${
        shellQuote(nearest(path))
      }, mend what it shows, then run the command again`;
  }
}

/** The path itself, or the directory above it that is there: what decides about a new file. */
function nearest(path: string): string {
  for (let at = path;; at = dirname(at)) {
    if (stands(at) || dirname(at) === at) return at;
  }
}

function stands(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
