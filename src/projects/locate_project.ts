/**
 * Which project is this directory? (corpus-and-migrations.md 7.2)
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { gitTopLevel } from "../platform/git.ts";
import { realPath } from "../platform/files/mod.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { deriveProjectId, isProjectId } from "./project_id.ts";
import { type Project, projectPaths } from "./project_paths.ts";
import { readRegistry, type Registry } from "./registry.ts";

/** How a project is named besides its directory. */
export interface LocateOptions {
  /** An explicit id; the registry is not asked then. Empty counts as absent. */
  readonly projectId?: string;
}

/**
 * The project whose working tree holds `cwd`. Throws `not-a-repository`, `path-escape`,
 * `registry-unreadable` or `registry-ambiguous`.
 */
export async function locateProject(
  cwd: string,
  dataDirectory: string,
  options: LocateOptions = {},
): Promise<Project> {
  const root = await workingTreeRoot(cwd);
  const paths = projectPaths(root);
  const named = options.projectId ?? "";
  if (named !== "") return { projectId: checkedProjectId(named), root, paths };
  return { projectId: projectIdOf(root, readRegistry(dataDirectory)), root, paths };
}

/** The working tree's root with links resolved. Throws `not-a-repository`. */
export async function workingTreeRoot(directory: string): Promise<string> {
  const root = await gitTopLevel(directory);
  if (root !== null) return realPath(root) ?? root;
  throw new TheurianError(
    "not-a-repository",
    "Cannot find a project: the directory is in no Git working tree, or Git is not installed",
    { remedy: "Change into a Git working tree, or make one with `git init`" },
  );
}

/** The id given by a caller, checked. Throws `project-unknown`. */
export function checkedProjectId(text: string): string {
  if (isProjectId(text)) return text;
  throw new TheurianError(
    "project-unknown",
    "Cannot use the project id: it must be lower-case letters and digits in groups joined by " +
      "single hyphens, at most 200 characters",
    { remedy: "Choose an id such as `my-service`" },
  );
}

/** The id of `root`: registered, or derived. Throws `registry-ambiguous`. */
export function projectIdOf(root: string, registry: Registry): string {
  return registeredIdOf(root, registry) ?? deriveProjectId(root);
}

/**
 * The id under which `root` is registered, or `null`. Throws `registry-ambiguous` when the registry
 * cannot tell: an entry without a usable root might be this one.
 */
export function registeredIdOf(root: string, registry: Registry): string | null {
  if (registry.unreadable.length > 0) throw rootlessEntries(registry.unreadable);
  const ids = [...registry.entries.values()]
    .filter((entry) => entry.root === root)
    .map((entry) => entry.projectId);
  if (ids.length > 1) {
    throw ambiguous("this working tree is registered under more than one id", ids);
  }
  const [id] = ids;
  if (id === undefined) return null;
  if (!isProjectId(id)) {
    throw ambiguous("this working tree is registered under an id that is none", [id]);
  }
  return id;
}

/** Refuses because some entries name no usable root. */
export function rootlessEntries(ids: readonly string[]): TheurianError {
  return ambiguous("the registry holds entries without a usable root", ids);
}

/** The commands that remove entries, whatever their ids look like. */
export function unregisterCommands(ids: readonly string[]): string {
  return ids.map((id) => `\`theurian project unregister -- ${shellQuote(id)}\``).join(", ");
}

function ambiguous(reason: string, ids: readonly string[]): TheurianError {
  return new TheurianError("registry-ambiguous", `Cannot tell which project this is: ${reason}`, {
    remedy: `Remove what is wrong with ${unregisterCommands(ids)}; no project file is touched`,
  });
}
