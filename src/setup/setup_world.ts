import { join } from "node:path";
import { describePath, realPath } from "../platform/files/mod.ts";
import { resolveProgram } from "../platform/resolve_program.ts";
import { type HealthAnswer, probeHealth } from "../daemon/mod.ts";
import type { ServiceManager } from "./service/mod.ts";

/** What setup and doctor work on. */
export interface SetupWorld {
  readonly system: typeof Deno.build.os;
  /** Absolute path of this executable, or `null` where it runs from source. */
  readonly executable: string | null;
  readonly home: string | null;
  readonly cwd: string;
  /** Absolute, as spelled. */
  readonly dataDirectory: string;
  readonly port: number;
  readonly manager: ServiceManager | null;
  /** Leave out of findings whatever is not authored by us (7.7). */
  readonly withhold: boolean;
  /** Longest wait for a started daemon, in milliseconds. */
  readonly startWaitMs: number;
}

/** What several steps of one pass look at; observed once a pass. */
export interface Observed {
  readonly health: HealthAnswer | null;
  /** Real path of the repository around the current directory, or `null`. */
  readonly repository: string | null;
  /** Whether the client's own program is there to be called. */
  readonly hasClient: boolean;
}

/** Looks at what the steps share. */
export async function observe(world: SetupWorld): Promise<Observed> {
  return {
    health: await probeHealth(world.port),
    repository: repositoryAround(world.cwd),
    hasClient: resolveProgram("claude") !== null,
  };
}

/** The nearest directory at or above `directory` that holds a `.git`; no program is asked. */
export function repositoryAround(directory: string): string | null {
  for (let at = realPath(directory); at !== null;) {
    if (isThere(join(at, ".git"))) return at;
    const parent = join(at, "..");
    if (parent === at) return null;
    at = parent;
  }
  return null;
}

function isThere(path: string): boolean {
  try {
    return describePath(path) !== null;
  } catch {
    return false; // A place we may not look at is not our repository.
  }
}
