/**
 * Binding a working tree to an id on this machine (corpus-and-migrations.md 7.3, 7.4).
 *
 * @module
 */

import { type Clock, utcText } from "../platform/clock.ts";
import { TheurianError } from "../platform/errors.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { rootlessEntries, unregisterCommands } from "./locate_project.ts";
import { KNOWLEDGE_DIRECTORY } from "./project_paths.ts";
import { readRegistry, type Registry, updateRegistry } from "./registry.ts";

/** What is registered. */
export interface Registration {
  readonly projectId: string;
  readonly root: string;
  /** Empty without a remote. */
  readonly repositoryUrl: string;
  readonly defaultBranch: string;
}

/**
 * Registers a root; false when the same entry stands already. Throws `project-conflict` when the id
 * or the root is bound otherwise: an id is stamped into built rows, so it is never moved silently.
 */
export async function registerProject(
  dataDirectory: string,
  registration: Registration,
  clock: Clock,
): Promise<boolean> {
  return await updateRegistry(dataDirectory, (registry, stored) => {
    refuseConflicts(registry, registration);
    const { projectId, root, repositoryUrl, defaultBranch } = registration;
    const known = registry.entries.get(projectId)?.stored;
    const entry = {
      ...known,
      rootPath: root,
      repositoryUrl,
      defaultBranch,
      knowledgeDirectory: KNOWLEDGE_DIRECTORY,
      registeredAt: known?.["registeredAt"] ?? utcText(clock.now()),
    };
    const same = known !== undefined &&
      Object.entries(entry).every(([key, value]) => known[key] === value);
    if (same) return { stored: null, result: false };
    return { stored: new Map(stored).set(projectId, entry), result: true };
  });
}

/** Removes the entry under exactly this key; false when there is none. No project file is touched. */
export async function unregisterProject(dataDirectory: string, key: string): Promise<boolean> {
  const { entries, unreadable } = readRegistry(dataDirectory);
  if (!entries.has(key) && !unreadable.includes(key)) return false;
  return await updateRegistry(dataDirectory, (_registry, stored) => {
    if (!stored.has(key)) return { stored: null, result: false };
    const rest = new Map(stored);
    rest.delete(key);
    return { stored: rest, result: true };
  });
}

function refuseConflicts(registry: Registry, { projectId, root }: Registration): void {
  if (registry.unreadable.length > 0) throw rootlessEntries(registry.unreadable);
  const holder = registry.entries.get(projectId);
  if (holder !== undefined && holder.root !== root) {
    throw new TheurianError(
      "project-conflict",
      "Cannot register the project: its id belongs to another working tree",
      {
        remedy:
          `Choose another id with \`theurian project register --project-id ID\`, or free it ` +
          `with ${unregisterCommands([projectId])}`,
      },
    );
  }
  const bound = [...registry.entries.values()]
    .filter((entry) => entry.root === root && entry.projectId !== projectId)
    .map((entry) => entry.projectId);
  if (bound.length === 0) return;
  throw new TheurianError(
    "project-conflict",
    "Cannot register the project: its working tree is registered under another id",
    {
      remedy: `Keep that id, or run ${unregisterCommands(bound)}, delete ${
        shellQuote(`${root}/${KNOWLEDGE_DIRECTORY}/state/`)
      } (it is rebuilt), register again, then run \`theurian migrate apply\` and \`theurian index build\``,
    },
  );
}
