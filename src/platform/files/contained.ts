import { isAbsolute, join } from "node:path";
import { TheurianError } from "../errors.ts";
import type { Named } from "./_refusals.ts";
import {
  isLink,
  partsOf,
  type Places,
  resolvePlaces,
  RouteRefusal,
  walkInside,
} from "./_route_walk.ts";
import { realPath } from "./describe_path.ts";
import { directorySignature } from "./file_signature.ts";
import { PATH_DEPTH } from "./limits.ts";
import { readIdentified, type ReadOptions, type SourceFile } from "./read_file.ts";

const ESCAPES = {
  "leaves": "its path leaves the project directory",
  "absolute-link": "an absolute symbolic link on its path leads out of the project directory",
  "unreadable-link": "a symbolic link on its path cannot be read",
  "too-many-links": "its path leads through too many symbolic links",
} as const;

const REMEDY =
  "Use a relative path that stays inside the project directory, and replace symbolic links that " +
  "leave it (list them with: find . -type l)";

/**
 * Reads a file that a project names, proving that the route from `base` never leaves `root`
 * (corpus-and-migrations.md 10.2). `request` is relative to `base`, which lies inside `root`; both
 * may be spelled through links. The label names the place to look; the request is never echoed.
 * Throws `path-escape`, `path-too-deep`, and what {@linkcode readRegularFile} throws.
 */
export function readContained(
  root: string,
  base: string,
  request: string,
  options: ReadOptions = {},
): SourceFile {
  return readIdentified(resolveContained(root, base, request, options), options);
}

/**
 * Resolves a path below `root`, absolute or relative to it, through every link on the way; a missing
 * tail is allowed. Throws `path-escape` (exit 4) when it leaves the root, also to come back
 * (corpus-and-migrations.md 4.1). Meant for directories: writing to a leaf resolved here would write
 * through an in-tree link, so join leaves to a contained directory instead.
 */
export function containedPath(root: string, path: string, named: Named = {}): string {
  return resolveContained(
    root,
    root,
    isAbsolute(path) ? tailBelow(root, path, named) : path,
    named,
  );
}

/** Directories in which no link was found, as they were then: a daemon asks at every call. */
const withoutLinks = new Map<string, string>();
const MOST_REMEMBERED = 64;

/**
 * Proves of a directory below `root`, and of entries directly in it, what {@linkcode containedPath}
 * proves of one path, at the price of one look. Throws as it does.
 */
export function requireContainedEntries(
  root: string,
  directory: string,
  names: readonly string[],
): void {
  const resolved = containedPath(root, directory, { label: directory });
  const before = directorySignature(resolved);
  // A link comes into a directory only by changing it.
  if (before !== null && withoutLinks.get(resolved) === before) return;
  const links = linksIn(resolved) ?? names.filter((name) => isLink(join(resolved, name)));
  if (links.length === 0 && before !== null && directorySignature(resolved) === before) {
    if (withoutLinks.size >= MOST_REMEMBERED) withoutLinks.clear();
    withoutLinks.set(resolved, before);
  }
  // What is no link lies where its directory does.
  for (const name of names) {
    if (!links.includes(name)) continue;
    const label = `${directory}/${name}`;
    containedPath(root, label, { label });
  }
}

/**
 * Names of the links in a directory, in one look: a look at each name costs as much for every one
 * that is missing. `null` when it cannot be listed.
 */
function linksIn(directory: string): string[] | null {
  try {
    return [...Deno.readDirSync(directory)].filter((entry) => entry.isSymlink)
      .map((entry) => entry.name);
  } catch {
    return null;
  }
}

function resolveContained(root: string, base: string, request: string, named: Named): string {
  if (request.includes("\0")) throw escape("its path holds a NUL character", named);
  if (isAbsolute(request)) throw escape("its path is absolute", named);
  const places = resolvePlaces(root, base);
  if (places === null) throw escape(ESCAPES.leaves, named);
  refuseTooDeep(places, request, named);
  try {
    return walkInside(places, request);
  } catch (error) {
    if (!(error instanceof RouteRefusal)) throw error;
    throw escape(ESCAPES[error.fault], named, error.fault);
  }
}

/** Counts what lies below the root after `..` is folded, the file name included. */
function refuseTooDeep(places: Places, request: string, named: Named): void {
  const folded = partsOf(places.baseReal.slice(places.rootReal.length));
  for (const part of partsOf(request)) {
    if (part === "..") folded.pop();
    else folded.push(part);
  }
  if (folded.length <= PATH_DEPTH) return;
  throw new TheurianError(
    "path-too-deep",
    `Cannot use ${named.label ?? "a file"}: its path has more than ${PATH_DEPTH} parts`,
    { remedy: "Move the file into fewer nested directories", details: { limit: PATH_DEPTH } },
  );
}

function tailBelow(root: string, path: string, named: Named): string {
  const parts = partsOf(path);
  for (const spelling of [root, realPath(root) ?? root]) {
    const prefix = partsOf(spelling);
    if (prefix.every((part, i) => part === parts[i])) return parts.slice(prefix.length).join("/");
  }
  throw escape(ESCAPES.leaves, named);
}

function escape(
  reason: string,
  named: Named,
  route: keyof typeof ESCAPES = "leaves",
): TheurianError {
  return new TheurianError("path-escape", `Cannot use ${named.label ?? "a path"}: ${reason}`, {
    remedy: REMEDY,
    details: { route },
  });
}
