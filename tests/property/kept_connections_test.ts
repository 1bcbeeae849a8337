/**
 * A daemon's thread keeps connections and what it computed from them between calls: whatever happens
 * on disk meanwhile, every answer is the one that a thread which keeps nothing gives.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { isFault } from "../../src/platform/errors.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { keepConnections } from "../../src/platform/sqlite/mod.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import { call, type Caller, register } from "../support/tool_calls.ts";

const items = ["a.a", "a.b", "b.a"] as const;
const words = ["retry", "queue", "zebra", "認証"] as const;

type Step = (project: ScratchProject, number: number) => void | Promise<unknown>;

const revise: fc.Arbitrary<Step> = fc.record({
  itemId: fc.constantFrom(...items),
  text: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }),
  sensitivity: fc.constantFrom("internal", "confidential"),
}).map(({ itemId, text, sensitivity }) => (project, number) => {
  project.add({ [itemId]: { body: `${text.join(" ")} ${number}\n`, sensitivity } });
  return project.apply();
});
const build: fc.Arbitrary<Step> = fc.record({ raptor: fc.boolean(), embeddings: fc.boolean() })
  .map((options) => (project) => project.build(options));
const others = fc.constantFrom<Step>(
  (project) => damage(project, "theurian-state-", "UPDATE meta SET surfaceable = surfaceable + 1"),
  (project) => damage(project, "theurian-index-", "UPDATE documents SET title = 'retry retry'"),
  (project) => damage(project, "theurian-index-", "DELETE FROM chunks"),
  (project) => {
    for (const name of project.stateFiles()) {
      if (name.startsWith("theurian-index-")) Deno.removeSync(project.state(name));
    }
  },
  (project) => Deno.removeSync(`${project.dataDirectory}/built-here.json`),
  (project) => project.serve("confidential"),
);
const steps = fc.array(fc.oneof({ weight: 4, arbitrary: revise }, build, others), {
  minLength: 2,
  maxLength: 7,
});

/** Changes published files in place, which none of ours does. */
async function damage(project: ScratchProject, prefix: string, sql: string): Promise<void> {
  const { DatabaseSync } = await import("node:sqlite");
  for (const name of project.stateFiles()) {
    if (!name.startsWith(prefix)) continue;
    const database = new DatabaseSync(project.state(name));
    try {
      database.exec(sql);
    } catch {
      // Not to be changed: a file of another layout, or one that is damaged already.
    } finally {
      database.close();
    }
  }
}

/** Over damaged files a step may refuse; what is on disk then counts. */
async function unlessRefused(step: () => void | Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    if (!isFault(error) && !(error instanceof Deno.errors.NotFound)) throw error;
  }
}

const calls: readonly (readonly [string, JsonObject])[] = [
  ...words.map((query) => ["knowledge.search", { query }] as const),
  ["knowledge.search", { query: "retry queue", useDense: true }],
  ["knowledge.search", { query: "zebra", useDense: true }],
  ...items.map((itemId) => ["knowledge.get", { itemId }] as const),
  ["knowledge.status", {}],
];

async function answers(caller: Caller): Promise<readonly JsonObject[]> {
  const given: JsonObject[] = [];
  for (const [tool, input] of calls) {
    given.push(await call(caller, tool, { projectId: "demo", ...input }));
  }
  return given;
}

Deno.test("a thread that keeps connections answers as one that keeps none", async () => {
  await fc.assert(
    fc.asyncProperty(steps, (history) =>
      inScratchProject(async (project) => {
        const caller = register(project);
        project.add({ "a.a": { body: "retry the queue\n" }, "b.a": { body: "認証 zebra\n" } });
        await project.apply();
        await project.build();
        keepConnections(60_000);
        try {
          for (const [number, step] of history.entries()) {
            await unlessRefused(() => step(project, number));
            const kept = [await answers(caller), await answers(caller)];
            keepConnections(0);
            const fresh = await answers(caller);
            assert.deepEqual(kept, [fresh, fresh]);
            keepConnections(60_000);
            await answers(caller);
          }
        } finally {
          keepConnections(0);
        }
      })),
    { numRuns: 25 },
  );
});
