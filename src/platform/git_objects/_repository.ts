/**
 * Where a working tree keeps its Git objects: `.git` as a folder or as a file of a linked worktree,
 * the common directory, alternates, and the hash the repository names its objects with.
 *
 * @module
 */

import { isAbsolute, join, resolve } from "node:path";
import { decodeUtf8, describePath, readRegularFileIfPresent } from "../files/mod.ts";
import { OBJECT_DIRECTORIES, Unreadable } from "./_limits.ts";

/** Hash that names the objects of a repository. */
export type ObjectFormat = "sha1" | "sha256";

/** A repository's object directories and format. */
export interface RepositoryObjects {
  readonly format: ObjectFormat;
  /** The repository's own first, then its alternates. */
  readonly directories: readonly string[];
}

const SMALL_FILE = 1024 * 1024;

/** Finds the objects of the working tree at `root`. Throws {@linkcode Unreadable}. */
export function locateObjects(root: string): RepositoryObjects {
  const gitDirectory = gitDirectoryOf(root);
  const common = readLine(join(gitDirectory, "commondir"));
  const commonDirectory = common === null ? gitDirectory : resolve(gitDirectory, common);
  return {
    format: objectFormat(commonDirectory),
    directories: withAlternates(join(commonDirectory, "objects")),
  };
}

function gitDirectoryOf(root: string): string {
  const path = join(root, ".git");
  const kind = describePath(path)?.kind;
  if (kind === "directory" || kind === "link") return path;
  const pointer = kind === "file" ? readLine(path) : null;
  if (pointer === null || !pointer.startsWith("gitdir: ")) throw new Unreadable("No repository");
  return resolve(root, pointer.slice("gitdir: ".length));
}

/** First line of a small file; `null` when there is no file. */
function readLine(path: string): string | null {
  const text = readSmall(path);
  return text === null ? null : text.split("\n", 1)[0]!.replace(/\r$/, "");
}

function readSmall(path: string): string | null {
  const bytes = readRegularFileIfPresent(path, { maxBytes: SMALL_FILE });
  return bytes === null ? null : decodeUtf8(bytes);
}

/** `extensions.objectFormat`; a repository that does not say uses SHA-1. */
function objectFormat(commonDirectory: string): ObjectFormat {
  let section = "";
  for (const line of (readSmall(join(commonDirectory, "config")) ?? "").split(/\r?\n/)) {
    const heading = /^\s*\[([^\]]*)\]/.exec(line);
    if (heading !== null) section = heading[1]!.trim().toLowerCase();
    const value = /^\s*objectformat\s*=\s*"?([a-z0-9]+)"?\s*(?:[#;].*)?$/i.exec(line)?.[1];
    if (section !== "extensions" || value === undefined) continue;
    if (value.toLowerCase() === "sha256") return "sha256";
    if (value.toLowerCase() !== "sha1") throw new Unreadable("An unknown object format");
  }
  return "sha1";
}

/** The directory and those its `info/alternates` name, directly or through one another. */
function withAlternates(own: string): string[] {
  const directories = [own];
  for (let i = 0; i < directories.length; i++) {
    const lines = (readSmall(join(directories[i]!, "info", "alternates")) ?? "").split("\n");
    for (const line of lines) {
      if (line === "" || line.startsWith("#")) continue;
      const path = line.startsWith('"') ? unquote(line) : line;
      const directory = isAbsolute(path) ? path : resolve(directories[i]!, path);
      if (directories.includes(directory)) continue;
      if (directories.length === OBJECT_DIRECTORIES) throw new Unreadable("Too many alternates");
      directories.push(directory);
    }
  }
  return directories;
}

/** A path quoted as C does, with the escapes that are plain text; others are left as they are. */
function unquote(line: string): string {
  return line.replace(/^"|"$/g, "").replace(/\\(["\\])/g, "$1");
}
