/**
 * The largest body that may be: what stands in its last bytes is found as well as what stands first,
 * by either way of answering, and comes back whole.
 */

import assert from "node:assert/strict";
import { SOURCE_FILE_BYTES } from "../../src/platform/files/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { inScratchProject } from "../support/scratch_project.ts";
import { call, type Caller, payloadOf, register } from "../support/tool_calls.ts";

const encoder = new TextEncoder();

/** A body of exactly the largest size that ends with the word and a line feed. */
function largest(word: string, filling: string): string {
  const end = ` ${word}\n`;
  const rest = SOURCE_FILE_BYTES - encoder.encode(end).length;
  const times = Math.floor(rest / encoder.encode(filling).length);
  const body = filling.repeat(times);
  const padded = body + "x".repeat(rest - encoder.encode(body).length) + end;
  const bytes = encoder.encode(padded);
  assert.equal(bytes.length, SOURCE_FILE_BYTES);
  assert.ok(new TextDecoder().decode(bytes.subarray(-20)).includes(word));
  return padded;
}

const BODIES = {
  "large.plain": largest("quokkatail", "Prose that fills a large body well enough.\n\n"),
  "large.astral": largest("wombattail", "🎉𠀋 "),
};

async function found(caller: Caller, query: string): Promise<JsonObject> {
  const payload = payloadOf(await call(caller, "knowledge.search", { projectId: "demo", query }));
  assert.equal(payload["count"], 1, query);
  const { itemId, excerpt } = (payload["results"] as readonly JsonObject[])[0]!;
  return { itemId: itemId!, excerpt: excerpt!, retrieval: payload["retrieval"]! };
}

Deno.test("a word in the last twenty bytes of a body of 8 MiB is found, ranked and by the scan", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({
      "large.plain": { body: BODIES["large.plain"] },
      "large.astral": { body: BODIES["large.astral"] },
      "small.other": { body: "A small one.\n" },
    });
    await scratch.apply();
    const caller = register(scratch);
    const words = { quokkatail: "large.plain", wombattail: "large.astral" } as const;
    for (const [word, itemId] of Object.entries(words)) {
      const scanned = await found(caller, word);
      assert.equal(scanned["itemId"], itemId);
      assert.equal((scanned["retrieval"] as JsonObject)["fallbackReason"], "no-index");
    }
    const { report } = await scratch.build({ embeddings: false });
    assert.ok(report.chunks > 8000, String(report.chunks));
    for (const [word, itemId] of Object.entries(words)) {
      const ranked = await found(caller, word);
      assert.equal(ranked["itemId"], itemId);
      assert.equal((ranked["retrieval"] as JsonObject)["mode"], "lexical");
      assert.ok(String(ranked["excerpt"]).isWellFormed());
      const shown = payloadOf(await call(caller, "knowledge.get", { projectId: "demo", itemId }));
      assert.equal(shown["body"], BODIES[itemId]);
    }
  });
});
