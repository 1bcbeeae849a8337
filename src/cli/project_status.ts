/**
 * `project status`: always answers, also where there is no project; the session hook reads it
 * (corpus-and-migrations.md 7.6).
 *
 * @module
 */

import { indexFilePath, readIndexPointer } from "../index/mod.ts";
import {
  ENGINE_VERSION,
  inspectMigrationSet,
  type MigrationSet,
  openSourceCache,
  openTrustedState,
  readActivePointer,
  STATE_SCHEMA_VERSION,
} from "../knowledge/mod.ts";
import { isFault, type TheurianError } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { gitHeadCommit } from "../platform/git.ts";
import {
  isBuiltHere,
  type Project,
  projectIdOf,
  projectPaths,
  readRegistry,
  type Registry,
  workingTreeRoot,
} from "../projects/mod.ts";
import { isDirectory } from "./_is_directory.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

type Facts = Readonly<Record<string, unknown>>;

/** Exit 0 whatever it finds; only a path that leaves the project is refused (exit 4). */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  try {
    return await lookAt(context);
  } catch (error) {
    if (!isFault(error, ...CANNOT_ASK)) throw error;
    return { document: { registered: null, ...reasonOf(error), unreadable: [] } };
  }
}

/** Nothing of the machine can be asked: no home, no directory to stand in, no Git that runs. */
const CANNOT_ASK = [
  "data-directory-unusable",
  "file-missing",
  "process-failed",
  "process-timeout",
] as const;

async function lookAt(context: CommandContext): Promise<CommandResult> {
  const registry = registryFacts(context.dataDirectory);
  let root: string;
  try {
    root = await workingTreeRoot(context.cwd);
  } catch (error) {
    if (!isFault(error, "not-a-repository")) throw error;
    const { unreadable } = registry;
    return { document: { registered: false, ...reasonOf(error), unreadable } };
  }
  const paths = projectPaths(root);
  const { registered, unreadable } = registeredFacts(registry, root);
  const unresolved = (reason: Facts): CommandResult => ({
    document: {
      registered,
      ...reason,
      ...(registry.failure === null ? {} : {
        registryReason: registry.failure.message,
        registryRemedy: registry.failure.remedy,
      }),
      unreadable,
    },
  });
  try {
    const { set, faults } = inspectMigrationSet(paths, {
      cache: openSourceCache(paths, context.dataDirectory),
    });
    if (set === null) {
      const first = faults[0]!;
      return unresolved({
        reason: `Cannot load ${first.path} at ${first.location}: ${first.rule}`,
        remedy: `Mend ${first.path}; \`theurian migrate status\` shows every fault`,
      });
    }
    if (registry.failure !== null) throw registry.failure;
    const project = { projectId: projectIdOf(root, registry.content!), root, paths };
    return { document: await resolvedFacts(project, context.dataDirectory, set, registered) };
  } catch (error) {
    if (!isFault(error) || isFault(error, "path-escape")) throw error;
    return unresolved(reasonOf(error));
  }
}

interface RegistryFacts {
  /** `null` when it cannot be read. */
  readonly content: Registry | null;
  readonly failure: TheurianError | null;
  readonly unreadable: readonly string[];
}

function registryFacts(dataDirectory: string): RegistryFacts {
  try {
    const content = readRegistry(dataDirectory);
    return { content, failure: null, unreadable: content.unreadable };
  } catch (error) {
    if (!isFault(error, "registry-unreadable")) throw error;
    return { content: null, failure: error, unreadable: [] };
  }
}

/** By root and never by id; `null` when an entry that cannot be read might be this one. */
function registeredFacts(
  { content, unreadable }: RegistryFacts,
  root: string,
): { readonly registered: boolean | null; readonly unreadable: readonly string[] } {
  if (content === null || unreadable.length > 0) return { registered: null, unreadable };
  const registered = [...content.entries.values()].some((entry) => entry.root === root);
  return { registered, unreadable };
}

async function resolvedFacts(
  project: Project,
  dataDirectory: string,
  set: MigrationSet,
  registered: boolean | null,
): Promise<Facts> {
  const { projectId, root, paths } = project;
  const { activeStateHash, pointerFault } = activeFacts(project);
  const { stateBuilt, builtFault } = builtFacts(project, dataDirectory, set.stateHash);
  return {
    projectId,
    root,
    registered,
    initialized: isDirectory(paths.theurian),
    stateHash: set.stateHash,
    activeStateHash,
    stateBuilt,
    indexStale: indexIsStale(project, dataDirectory, set.stateHash),
    statePointerCorrupt: pointerFault !== null,
    migrationCount: set.migrations.length,
    headCommit: await gitHeadCommit(root),
    schemaVersion: STATE_SCHEMA_VERSION,
    engineVersion: ENGINE_VERSION,
    ...(pointerFault === null ? {} : reasonOf(pointerFault)),
    ...(builtFault === null ? {} : {
      stateBuiltReason: builtFault.message,
      stateBuiltRemedy: builtFault.remedy,
    }),
    unreadable: [],
  };
}

function activeFacts({ paths }: Project): {
  readonly activeStateHash: string | null;
  readonly pointerFault: TheurianError | null;
} {
  try {
    const pointer = readActivePointer(paths);
    return { activeStateHash: pointer?.stateHash ?? null, pointerFault: null };
  } catch (error) {
    if (!isFault(error, "state-pointer-corrupt")) throw error;
    return { activeStateHash: null, pointerFault: error };
  }
}

function builtFacts(project: Project, dataDirectory: string, stateHash: string): {
  readonly stateBuilt: boolean | null;
  readonly builtFault: TheurianError | null;
} {
  try {
    const state = openTrustedState(project, dataDirectory, stateHash);
    state?.connection.close();
    return { stateBuilt: state !== null, builtFault: null };
  } catch (error) {
    if (!isFault(error) || isFault(error, "path-escape")) throw error;
    return { stateBuilt: null, builtFault: error };
  }
}

/** True unless the published index was built here from exactly the migrations on disk. */
function indexIsStale(project: Project, dataDirectory: string, stateHash: string): boolean {
  const reading = readIndexPointer(project.paths);
  if (reading.kind !== "pointer") return true;
  const { indexBuildId, stateHash: indexed, projectId, purgeFailed } = reading.pointer;
  const path = indexFilePath(project.paths, indexBuildId);
  return indexed !== stateHash || projectId !== project.projectId || purgeFailed ||
    path === null || describePath(path)?.kind !== "file" ||
    !isBuiltHere(dataDirectory, project.root, "index", indexBuildId);
}

function reasonOf(error: TheurianError): { readonly reason: string; readonly remedy: string } {
  return { reason: error.message, remedy: error.remedy };
}
