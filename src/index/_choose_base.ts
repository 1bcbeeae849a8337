/**
 * Which earlier build a new one is written on top of.
 *
 * @module
 */

import type { Project } from "../projects/mod.ts";
import { type OpenBuild, openBuild, trustedBuildIds } from "./_built_files.ts";
import type { BuildFacts } from "./build_facts.ts";

/** What a base must have in common with the build to come. */
export type BaseNeeds = Pick<
  BuildFacts,
  "projectId" | "embeddingModel" | "raptor" | "scanned" | "stateHash"
>;

/** Files that are looked at; more are never kept for long. */
const MOST_CANDIDATES = 6;

/**
 * A build made here that has the same parts: one of the same state if there is one (a branch switch),
 * else the newest. The caller closes it.
 */
export function chooseBase(
  project: Project,
  dataDirectory: string,
  needs: BaseNeeds,
): OpenBuild | null {
  let best: OpenBuild | null = null;
  for (const id of trustedBuildIds(project, dataDirectory).slice(0, MOST_CANDIDATES)) {
    const build = openBuild(project, id);
    if (build === null) continue;
    const isBetter = best === null || build.facts.stateHash === needs.stateHash;
    if (!fits(build.facts, needs) || !isBetter) {
      build.connection.close();
      continue;
    }
    best?.connection.close();
    best = build;
    if (build.facts.stateHash === needs.stateHash) break;
  }
  return best;
}

function fits(facts: BuildFacts, needs: BaseNeeds): boolean {
  return facts.projectId === needs.projectId && facts.embeddingModel === needs.embeddingModel &&
    facts.raptor === needs.raptor && facts.scanned === needs.scanned;
}
