/** Reads the many files of one set: the contained reader, with each directory proved once. */

import { dirname, join, sep } from "node:path";
import { isFault } from "../platform/errors.ts";
import {
  type FileSignature,
  fileSignature,
  PATH_DEPTH,
  readContained,
  readIdentified,
  realPath,
  type SourceFile,
} from "../platform/files/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";

/** A file that is found without walking a route. */
export interface LocatedFile {
  readonly path: string;
  readonly signature: FileSignature;
}

/**
 * Reads files relative to the migrations directory under the rules of corpus-and-migrations.md 10.2.
 * A request that only climbs and then descends, through directories that are no links, needs no
 * walk: its path as written is its route. Everything else, and every refusal, is the contained
 * reader's.
 */
export class SourceReader {
  readonly #paths: ProjectPaths;
  readonly #root: string | null;
  readonly #base: string | null;
  /** Of requests up to their last part; `null` where a route has to be walked. */
  readonly #directories = new Map<string, string | null>();

  /** Root of the project, as it was given. */
  get root(): string {
    return this.#paths.root;
  }

  constructor(paths: ProjectPaths) {
    this.#paths = paths;
    this.#root = realPath(paths.root);
    this.#base = realPath(paths.migrations);
  }

  /** Reads a file; `label` stands for it in refusals. Throws as `readContained`. */
  read(request: string, label: string): SourceFile {
    const path = this.#plainPath(request);
    if (path !== null) {
      try {
        return readIdentified(path, { label });
      } catch (error) {
        // Told by the contained reader below, which also follows a link in the last part.
        if (!isFault(error)) throw error;
      }
    }
    return readContained(this.#paths.root, this.#paths.migrations, request, { label });
  }

  /** Path and signature of a plain request; `null` when it must be walked or is no regular file. */
  locate(request: string): LocatedFile | null {
    const path = this.#plainPath(request);
    const signature = path === null ? null : fileSignature(path);
    return path === null || signature === null ? null : { path, signature };
  }

  /** The path of a plain request, or `null` when its route has to be walked. */
  #plainPath(request: string): string | null {
    const cut = request.lastIndexOf("/") + 1;
    const name = request.slice(cut);
    if (!isPlainName(name)) return null;
    const route = request.slice(0, cut);
    let directory = this.#directories.get(route);
    if (directory === undefined) {
      directory = this.#plainDirectory(route);
      this.#directories.set(route, directory);
    }
    return directory === null ? null : directory + name;
  }

  /** The directory of a plain request with a `/` behind it; `null` when a route has to be walked. */
  #plainDirectory(route: string): string | null {
    if (sep !== "/" || this.#root === null || this.#base === null) return null;
    const parts = route.split("/").slice(0, -1);
    let climbs = 0;
    while (parts[climbs] === "..") climbs++;
    const names = parts.slice(climbs);
    if (!names.every(isPlainName)) return null;
    let start = this.#base;
    for (let i = 0; i < climbs; i++) start = dirname(start);
    if (start !== this.#root && !start.startsWith(`${this.#root}/`)) return null;
    const directory = join(start, ...names);
    if (directory.slice(this.#root.length).split("/").length > PATH_DEPTH) return null;
    return realPath(directory) === directory ? `${directory}/` : null;
  }
}

function isPlainName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("\0");
}
