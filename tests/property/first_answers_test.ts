/**
 * A search puts only the best documents in order before the gate, and all of them when too few pass:
 * its page is always the beginning of the whole ranking, less what the gate keeps out.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import type { JsonObject } from "../../src/platform/json.ts";
import { withRanking } from "../support/index_answers.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import { call, type Caller, payloadOf, register } from "../support/tool_calls.ts";

const ITEMS = 300;
const EXPIRY = "2026-03-15T00:00:00Z";
/** The later a word stands, the fewer documents hold it; the first ones are in nearly all. */
const WORDS = [
  "retry",
  "cache",
  "queue",
  "lantern",
  "harbour",
  "quokka",
  "LOCK_TIMEOUT",
  "ratchet",
];

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

/** Three of four items expire, so that a page is filled from far down the ranking. */
function fill(project: ScratchProject): void {
  const random = seeded(11);
  const word = () => WORDS[Math.floor(WORDS.length * random() ** 3)]!;
  const operations = Array.from({ length: ITEMS }, (_, n) => {
    const prose = Array.from({ length: 4 + Math.floor(30 * random()) }, word).join(" ");
    const parts = project.revise(`a.item-${n}`, { title: `${word()} ${n}`, body: `${prose}.\n` });
    return parts.map((part) =>
      part["op"] === "upsertRevision" && n % 4 !== 0
        ? { ...part, metadata: { ...part["metadata"] as JsonObject, validTo: EXPIRY } }
        : part
    );
  });
  project.migrate(...operations.flat());
}

/** Every document that the whole ranking finds, best first. */
function wholeRanking(path: string, query: string): string[] {
  return withRanking(
    path,
    query,
    {},
    (ranking) => ranking.documents.map(({ document }) => ranking.row(document).itemId),
  );
}

async function page(caller: Caller, query: string, more: JsonObject): Promise<string[]> {
  const input = { projectId: "demo", query, maxTokens: 32_000, ...more };
  const payload = payloadOf(await call(caller, "knowledge.search", input));
  return (payload["results"] as readonly JsonObject[]).map((hit) => hit["itemId"] as string);
}

const query = fc.array(fc.constantFrom(...WORDS, "quoka", "timeout", '"retry cache"', "lant"), {
  minLength: 1,
  maxLength: 4,
}).map((words) => words.join(" "));

Deno.test("the first answers of knowledge.search are those of the whole ranking, moment or not", async () => {
  await inScratchProject(async (project) => {
    fill(project);
    await project.apply();
    const { report } = await project.build();
    const caller = register(project);
    let cut = 0;
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom(1, 10, 50), async (text, limit) => {
        const whole = wholeRanking(report.indexPath, text);
        if (whole.length > 100) cut++;
        assert.deepEqual(await page(caller, text, { limit }), whole.slice(0, limit), text);
        const lasting = whole.filter((itemId) => Number(itemId.slice(7)) % 4 === 0);
        const later = await page(caller, text, { limit, asOf: "2026-03-16T00:00:00Z" });
        assert.deepEqual(later, lasting.slice(0, limit), text);
      }),
      { numRuns: 80 },
    );
    assert.ok(cut > 25, `only ${cut} rankings were cut`);
  });
});
