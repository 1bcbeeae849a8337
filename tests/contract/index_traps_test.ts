/**
 * Rules of the index that a change could drop unseen (index-build.md, Traps).
 *
 * @module
 */

import assert from "node:assert/strict";
import { chunkText, collectIndexGarbage } from "../../src/index/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { call, payloadOf, register } from "../support/tool_calls.ts";

Deno.test("two short parts make a passage as soon as they are long enough together (4, step 4)", () => {
  const part = (heading: string, letter: string) => `## ${heading}\n${letter.repeat(70)}`;
  const text = `T\n\n${part("A", "a")}\n\n${part("B", "b")}\n\n${part("C", "c")}`;
  const chunks = chunkText(text, "R");
  assert.deepEqual(chunks.map(({ heading, text }) => [heading, text.length]), [["", 232]]);
  // With enough behind them each joins what it belongs to, not all that follows.
  const long = `## D\n${"d".repeat(990)}`;
  const longer = chunkText(`${text}\n\n${long}`, "R");
  assert.deepEqual(longer.map(({ heading, text }) => [heading, text.slice(0, 4), text.length]), [
    ["", "T\n\n#", 155],
    ["C", "## C", 1072],
  ]);
});

Deno.test("without a pointer nothing is reclaimed, however old the builds on disk are (trap 19)", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.b": { body: "text" } });
    await scratch.apply();
    for (let i = 0; i < 3; i++) {
      scratch.now += 1_000;
      await scratch.build();
    }
    Deno.writeTextFileSync(
      scratch.state("theurian-index-01ARZ3NDEKTSV4RRFFQ69G5FAV.sqlite"),
      "another's",
    );
    Deno.removeSync(scratch.state("active-index.json"));
    const before = scratch.stateFiles();
    for (const dryRun of [true, false]) {
      const { dataDirectory } = scratch;
      const options = { dataDirectory, clock: { now: Date.now }, dryRun };
      const report = await collectIndexGarbage(scratch.project, options);
      assert.deepEqual(report.reclaimed, []);
      assert.deepEqual(scratch.stateFiles(), before);
    }
  }));

Deno.test("drafts alone publish an empty index, and are offered by the build that takes them (trap 2)", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.draft": { body: "text", status: "draft" } });
    await scratch.apply();
    const plain = await scratch.build();
    assert.deepEqual([plain.exit, plain.report.chunks], [0, 0]);
    const whole = await scratch.build({ includeUnapproved: true });
    assert.deepEqual([whole.exit, whole.report.chunks], [0, 1]);
  }));

Deno.test("what stands behind a NUL is served, found and shown (trap 48)", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.b": { title: "T", body: "abc\0zebra" } });
    await scratch.apply();
    await scratch.build();
    const input = { projectId: "demo", query: "zebra" };
    const answer = payloadOf(await call(register(scratch), "knowledge.search", input));
    assert.equal((answer["retrieval"] as JsonObject)["fallbackReason"], null);
    const [hit] = answer["results"] as readonly JsonObject[];
    assert.equal(hit?.["excerpt"], "T  abc\0zebra");
  }));
