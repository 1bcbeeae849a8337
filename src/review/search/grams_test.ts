import assert from "node:assert/strict";
import fc from "fast-check";
import { openInMemory } from "../../platform/sqlite/mod.ts";
import type { ProjectedRecord } from "./project_record.ts";
import { decodePostings, encodePostings } from "./grams.ts";
import { selectRecords } from "./select_records.ts";
import { ReviewStoreWriter } from "./store_writer.ts";

Deno.test("encodePostings() and decodePostings() keep any ascending list", () => {
  fc.assert(fc.property(fc.uniqueArray(fc.nat(2 ** 31), { maxLength: 200 }), (numbers) => {
    const ids = Uint32Array.from(numbers).sort();
    const bytes = encodePostings(ids, 0, ids.length);
    const read = new Uint32Array(bytes.length);
    assert.equal(decodePostings(bytes, read, 0), ids.length);
    assert.deepEqual(read.subarray(0, ids.length), ids);
  }));
});

Deno.test("decodePostings() refuses a list that is cut short or too long for its place", () => {
  const bytes = encodePostings(Uint32Array.of(300, 70_000), 0, 2);
  assert.throws(() => decodePostings(bytes.subarray(0, bytes.length - 1), new Uint32Array(9), 0));
  assert.throws(() => decodePostings(bytes, new Uint32Array(1), 0), RangeError);
  assert.throws(
    () => decodePostings(new Uint8Array(8).fill(0xff), new Uint32Array(9), 0),
    RangeError,
  );
});

function record(ordinal: number, contents: readonly string[]): ProjectedRecord {
  return {
    path: `f/review-thread/${String(ordinal).padStart(4, "0")}.json`,
    recordKey: String(ordinal),
    kind: "review-thread",
    provider: "github",
    repository: ordinal % 2 === 0 ? "a/b" : "B/c",
    pullRequest: BigInt(ordinal % 5 + 1),
    threadState: ordinal % 3 === 0 ? "open" : "resolved",
    filePath: "x.ts",
    sourceUri: "u",
    author: { externalId: "A", displayName: "a" },
    lastSeenRunId: "r",
    lastSeenAt: "2026-01-01T00:00:00.000000+00:00",
    participants: ["A"],
    texts: contents.map((content) => ({ channel: "comment", content })),
  };
}

const foldAscii = (text: string) => text.replace(/[A-Z]/g, (c) => c.toLowerCase());

/** What a naive reader finds, in serving order. */
function expectedKeys(records: readonly ProjectedRecord[], q: string, state: string | null) {
  return records
    .filter(({ texts }) => texts.some(({ content }) => foldAscii(content).includes(foldAscii(q))))
    .filter(({ threadState }) => state === null || threadState === state)
    .sort((a, b) =>
      (a.repository < b.repository ? -1 : a.repository > b.repository ? 1 : 0) ||
      Number(a.pullRequest! - b.pullRequest!) || (a.path < b.path ? -1 : 1)
    )
    .map(({ recordKey }) => recordKey);
}

Deno.test("a literal search finds what a naive reader finds, whatever the text", () => {
  const piece = fc.constantFrom(
    "ab",
    "aB",
    "%",
    "_",
    "\\",
    "é",
    "名前",
    "😀",
    " ",
    "K",
    "k",
    "x",
    "\n",
    "'",
  );
  const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(""));
  const corpus = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), {
    minLength: 1,
    maxLength: 30,
  });
  const query = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
  const state = fc.constantFrom(null, "open");
  fc.assert(
    fc.property(corpus, query, state, (contents, q, threadState) => {
      const records = contents.map((texts, ordinal) => record(ordinal, texts));
      using connection = openInMemory();
      const writer = new ReviewStoreWriter(connection);
      const staged = connection.transaction(() => {
        const all = records.map((one) => writer.stage(one));
        writer.endStaging();
        return all;
      });
      writer.finish(staged, [], "seal", "2026-01-01T00:00:00.000000+00:00");
      const found = selectRecords(connection, {
        repository: null,
        pullRequest: null,
        threadState,
        author: null,
        filePath: null,
        q,
        limit: 50,
      });
      assert.deepEqual(
        found.map(({ recordKey }) => recordKey),
        expectedKeys(records, q, threadState),
      );
      for (const { excerpt } of found) {
        assert.ok(foldAscii(excerpt).includes(foldAscii(q)));
      }
    }),
    { numRuns: 150 },
  );
});
