/**
 * Thread that applies and indexes one of two states after the other, so that whoever asks meanwhile
 * asks over moving ground. It is sent a {@linkcode SwitchOrder} and answers with a
 * {@linkcode SwitchReport}.
 *
 * @module
 */

import { applyMigrations } from "../../src/knowledge/mod.ts";
import { buildIndex, purgeWithdrawn } from "../../src/index/mod.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import { projectPaths } from "../../src/projects/mod.ts";

/** What the thread is to do. */
export interface SwitchOrder {
  readonly projectId: string;
  readonly root: string;
  readonly dataDirectory: string;
  /** The migration that only one of the two states has, and where it lies when it is not there. */
  readonly migration: string;
  readonly parked: string;
  /** Applies and builds that are made. */
  readonly rounds: number;
}

/** What the thread says in the end. */
export interface SwitchReport {
  /** State hash of each round. */
  readonly states: readonly string[];
}

async function switchStates(order: SwitchOrder): Promise<SwitchReport> {
  const { projectId, root, dataDirectory, migration, parked, rounds } = order;
  const project = { projectId, root, paths: projectPaths(root) };
  const ulids = ulidSource(systemClock);
  const options = { dataDirectory, clock: systemClock, ulids };
  const states: string[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) Deno.renameSync(migration, parked);
    else Deno.renameSync(parked, migration);
    const { stateHash } = await applyMigrations(project, {
      ...options,
      seal: ulids,
      allowUncommitted: true,
      purge: purgeWithdrawn(project, options),
    });
    const { report } = await buildIndex(project, {
      ...options,
      includeUnapproved: false,
      embeddings: true,
      raptor: round % 4 < 2,
    });
    if (report.stateHash !== stateHash) throw new Error("Another state was built than was applied");
    states.push(stateHash);
  }
  return { states };
}

const thread = self as unknown as {
  onmessage: (event: MessageEvent<SwitchOrder>) => void;
  postMessage: (report: SwitchReport) => void;
};

thread.onmessage = async ({ data }) => {
  thread.postMessage(await switchStates(data));
};
