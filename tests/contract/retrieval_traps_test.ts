/**
 * Rules of an answer that a change could drop unseen (retrieval.md section 13).
 *
 * @module
 */

import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../src/platform/json.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import { call, payloadOf, register } from "../support/tool_calls.ts";

async function withFlags(work: (scratch: ScratchProject) => Promise<void>): Promise<void> {
  await inScratchProject(async (scratch) => {
    const other = "Wholly other words about harbours and their tides fill this page. ".repeat(30);
    scratch.add({
      "a.word": { title: "Vexillology", body: `Vexillology. ${other}` },
      "b.near": { title: "Flags", body: "vexilloid vexillary vexillum" },
    });
    await scratch.apply();
    await scratch.build();
    await work(scratch);
  });
}

async function search(scratch: ScratchProject, input: JsonObject) {
  const answer = payloadOf(
    await call(register(scratch), "knowledge.search", { projectId: "demo", ...input }),
  );
  const results = answer["results"] as readonly JsonObject[];
  return {
    found: results.map((one) => [one["itemId"], one["foundBy"]]),
    retrieval: answer["retrieval"] as JsonObject,
  };
}

Deno.test("the mode tells of what is returned, not of what the budget dropped (trap 18)", () =>
  withFlags(async (scratch) => {
    const asked = { query: "vexillology", useDense: true };
    const whole = await search(scratch, asked);
    assert.deepEqual(whole.found, [["a.word", ["lexical"]], ["b.near", ["dense"]]]);
    assert.equal(whole.retrieval["mode"], "hybrid");
    const cut = await search(scratch, { ...asked, maxTokens: 1 });
    assert.deepEqual(cut.found, [["a.word", ["lexical"]]]);
    assert.equal(cut.retrieval["mode"], "lexical");
    assert.equal(cut.retrieval["droppedForBudget"], 1);
  }));

Deno.test("what vectors alone find has a mode of its own", () =>
  withFlags(async (scratch) => {
    const { found, retrieval } = await search(scratch, { query: "vexillaxqzk", useDense: true });
    assert.deepEqual([found, retrieval["mode"]], [[["b.near", ["dense"]]], "dense"]);
  }));

Deno.test("vectors of another model are not compared, and the model is not named (trap 22)", () =>
  withFlags(async (scratch) => {
    const [file] = scratch.stateFiles().filter((name) => name.startsWith("theurian-index-"));
    const database = new DatabaseSync(scratch.state(file!));
    database.exec("UPDATE build SET embedding_model = 'another'");
    database.close();
    const { found, retrieval } = await search(scratch, { query: "vexillology", useDense: true });
    assert.deepEqual(found, [["a.word", ["lexical"]]]);
    assert.equal(retrieval["embeddingModel"], "");
    assert.equal(retrieval["fallbackReason"], null);
  }));

Deno.test("marks alone are a query that finds nothing, in both ways of answering (trap 10)", () =>
  withFlags(async (scratch) => {
    for (const query of ['" * ( ) :', '"', "^-", "\u{1f600}"]) {
      const { found, retrieval } = await search(scratch, { query });
      assert.deepEqual([found, retrieval["mode"], retrieval["fallbackReason"]], [[], "none", null]);
      assert.equal(retrieval["emptyReason"], "no-match");
    }
    Deno.removeSync(scratch.state("active-index.json"));
    const { found, retrieval } = await search(scratch, { query: '" * ( ) :' });
    assert.deepEqual([found, retrieval["mode"]], [[], "substring"]);
  }));

Deno.test("the same revision, declared a draft or approved, counts as what it is now (traps 32, 33)", () =>
  inScratchProject(async (scratch) => {
    const [create, upsert] = scratch.revise("a.b", { body: "zebra" });
    scratch.migrate(create!, upsert!);
    const declare = async (status: string) => {
      const metadata = { ...upsert!["metadata"] as JsonObject, status };
      scratch.migrate({ ...upsert!, metadata, expectedRevision: upsert!["revisionId"] });
      await scratch.applyWithoutPurge();
    };
    const found = async (includeUnapproved: boolean) => {
      const { found, retrieval } = await search(scratch, { query: "zebra", includeUnapproved });
      return [found.length, retrieval["fallbackReason"]];
    };
    await scratch.apply();
    await scratch.build();
    await declare("draft");
    assert.deepEqual(await found(false), [0, null]);
    assert.deepEqual(await found(true), [1, "unapproved-not-indexed"]);
    await scratch.build({ includeUnapproved: true });
    await declare("approved");
    assert.deepEqual(await found(false), [0, null]);
    assert.deepEqual(await found(true), [1, null]);
    await scratch.build();
    assert.deepEqual(await found(false), [1, null]);
  }));
