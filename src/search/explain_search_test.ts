import assert from "node:assert/strict";
import { addDemo, revise } from "../../tests/support/demo_corpus.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { openActiveState } from "../knowledge/mod.ts";
import type { JsonObject } from "../platform/json.ts";
import { explainSearch } from "./explain_search.ts";
import type { SearchRequest } from "./search_knowledge.ts";

const REQUEST: SearchRequest = {
  query: "retry",
  limit: 10,
  maxTokens: 2000,
  includeUnapproved: false,
  useDense: false,
  asOf: null,
};

interface Explained {
  readonly itemId: string;
  readonly gate?: string;
  readonly paths: readonly { path: string; rank: number; score: number; matchedTerms: string[] }[];
}

function explain(
  project: ScratchProject,
  request: Partial<SearchRequest>,
  itemId: string | null = null,
) {
  const { dataDirectory } = project;
  const { pointer, reader } = openActiveState(project.project, dataDirectory);
  try {
    const answer = explainSearch(
      {
        project: project.project,
        dataDirectory,
        pointer,
        reader,
        sensitivities: ["public", "internal"],
        now: BigInt(project.now) * 1000n,
      },
      { ...REQUEST, ...request },
      itemId,
    );
    return answer as JsonObject & {
      results: Explained[];
      removed: Explained[];
      item: Explained;
    };
  } finally {
    reader[Symbol.dispose]();
  }
}

async function inDemo(work: (project: ScratchProject) => void | Promise<void>): Promise<void> {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    await project.build();
    await work(project);
  });
}

Deno.test("explainSearch() shows the ways, ranks and terms of each result", async () => {
  await inDemo((project) => {
    const { results, removed, count, retrieval } = explain(project, {
      query: "retry budgets outbou",
      useDense: true,
    });
    assert.equal(count, 2);
    assert.equal(results[0]!.itemId, "ops.retry");
    const paths = new Map(results[0]!.paths.map((one) => [one.path, one]));
    assert.deepEqual([...paths.keys()], ["dense", "lexical", "substring"]);
    assert.deepEqual(paths.get("lexical")!.matchedTerms, ["retry", "budget"]);
    assert.deepEqual(paths.get("substring")!.matchedTerms, ["outbound"]);
    assert.deepEqual(results.map((one) => one.paths.find((p) => p.path === "lexical")!.rank), [
      1,
      2,
    ]);
    assert.deepEqual(removed, []);
    assert.equal(Object.keys(retrieval as JsonObject).length, 13);
  });
});

Deno.test("explainSearch() names the gate that kept an item out", async () => {
  await inDemo(async (project) => {
    const gateOf = (request: Partial<SearchRequest>, id: string) =>
      explain(project, request, id).item.gate;
    assert.equal(gateOf({ limit: 1 }, "ops.cache"), "limit");
    assert.equal(gateOf({ maxTokens: 1 }, "ops.cache"), "budget");
    assert.equal(gateOf({ asOf: 1_900_000_000_000_000n }, "ops.cache"), "as-of");
    assert.equal(gateOf({}, "dom.auth-ja"), "no-match");
    assert.equal(gateOf({}, "ops.retries"), undefined);
    for (const id of ["no.such", "sec.keys", "arch.queue", "arch.old"]) {
      assert.deepEqual(explain(project, {}, id).item, {
        itemId: id,
        gate: "not-indexed",
        paths: [],
      });
    }
    project.migrate(
      { op: "deprecateItem", itemId: "ops.cache" },
      ...revise(project, "ops.retry", { title: "Retry", body: "retry anew" }),
      { op: "changeSensitivity", itemId: "dom.auth-ja", sensitivity: "restricted", reason: "x" },
    );
    await project.applyWithoutPurge();
    assert.equal(gateOf({}, "ops.cache"), "status");
    assert.equal(gateOf({}, "ops.retry"), "revision-mismatch");
    assert.equal(gateOf({ query: "認証" }, "dom.auth-ja"), "sensitivity");
    assert.deepEqual(
      explain(project, {}).removed.map((one) => [one.itemId, one.gate]).sort(),
      [["ops.cache", "status"], ["ops.retry", "revision-mismatch"]],
    );
  });
});

Deno.test("explainSearch() explains the scan where no index can be read", async () => {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    const { results, retrieval, item } = explain(project, {}, "dom.auth-ja");
    assert.deepEqual(results.map((one) => one.paths[0]!.path), ["substring", "substring"]);
    assert.equal((retrieval as JsonObject)["fallbackReason"], "no-index");
    assert.equal(item.gate, "no-match");
  });
});
