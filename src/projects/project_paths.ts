/**
 * Where a project keeps its files (corpus-and-migrations.md section 4).
 *
 * @module
 */

import { join } from "node:path";
import { requireContainedEntries } from "../platform/files/mod.ts";
import { Memo } from "../platform/memo.ts";

/** The directory of a repository that holds its knowledge. */
export const KNOWLEDGE_DIRECTORY = ".theurian";

/** Absolute paths of one project. */
export interface ProjectPaths {
  /** Working-tree root, with every link resolved. */
  readonly root: string;
  readonly theurian: string;
  readonly config: string;
  readonly migrations: string;
  readonly knowledge: string;
  readonly specifications: string;
  readonly proposals: string;
  readonly proposalsLocal: string;
  readonly review: string;
  readonly state: string;
  readonly cache: string;
  readonly runtime: string;
  readonly generated: string;
  /** `state/active.json`. */
  readonly activePointer: string;
  /** `runtime/write.lock`. */
  readonly writeLock: string;
}

const DIRECTORIES = {
  migrations: "migrations",
  knowledge: "knowledge",
  specifications: "specifications",
  proposals: "proposals",
  proposalsLocal: "proposals-local",
  review: "review",
  state: "state",
  cache: "cache",
  runtime: "runtime",
  generated: "generated",
} as const;

/**
 * The paths of the project at `root`, after proving that `.theurian` and every directory below it
 * stay inside the root, through all existing links (section 4.1). Throws `path-escape` (exit 4).
 */
export function projectPaths(root: string): ProjectPaths {
  requireContainedEntries(root, KNOWLEDGE_DIRECTORY, Object.values(DIRECTORIES));
  return spelled.get(root, () => pathsBelow(root));
}

/** A daemon spells the same few projects at every call. */
const spelled = new Memo<string, ProjectPaths>(64);

function pathsBelow(root: string): ProjectPaths {
  const at = (name: string) => join(root, KNOWLEDGE_DIRECTORY, name);
  const directories = {} as Record<keyof typeof DIRECTORIES, string>;
  for (const key of Object.keys(DIRECTORIES) as (keyof typeof DIRECTORIES)[]) {
    directories[key] = at(DIRECTORIES[key]);
  }
  return Object.freeze({
    root,
    theurian: join(root, KNOWLEDGE_DIRECTORY),
    config: at("config.yaml"),
    ...directories,
    activePointer: at("state/active.json"),
    writeLock: at("runtime/write.lock"),
  });
}

/** One project: its identity, its working tree, its paths. */
export interface Project {
  readonly projectId: string;
  readonly root: string;
  readonly paths: ProjectPaths;
}
