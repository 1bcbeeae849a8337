import assert from "node:assert/strict";
import fc from "fast-check";
import { TermCollector } from "./_term_collector.ts";
import { forEachPosting } from "./postings.ts";
import { pairsOf, piecesOfText } from "./scan_words.ts";

/** How often each term stands in a text, as a query would cut it. */
function countsOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const piece of piecesOfText(text)) {
    const terms = piece.kind === "run"
      ? [...piece.characters, ...pairsOf(piece.characters)]
      : [...piece.words, ...piece.extras, ...(piece.whole === null ? [] : [piece.whole])];
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function collected(collector: TermCollector, passage: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of collector.terms) {
    const { passages } = collector.listsOf(term);
    forEachPosting(passages === null ? [] : [passages], 100, (place, first, second) => {
      if (place === passage) counts.set(term, first + second);
    });
  }
  return counts;
}

const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => a < b ? -1 : 1);

const written = fc.array(
  fc.constantFrom(
    ...["a", "Zz9", "lock", "SQLite", "sha256", "x".repeat(50), "-", "->", "::", ":", "_", "."],
    ...[" ", "\n", "# ", "’", "'s", "é", "金額", "—", "𠀀", "\t", "\0", "/", "#", "&&", ">"],
  ),
  { maxLength: 40 },
).map((parts) => parts.join(""));

Deno.test("TermCollector counts the terms that a query finds, in any text", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(written, fc.string()), { minLength: 1, maxLength: 4 }),
      (texts) => {
        const collector = new TermCollector();
        for (const [place, text] of texts.entries()) collector.addPassage(place + 1, text);
        // A heading line is counted apart, so that no unit may reach across its ends.
        const lines = (text: string) =>
          text.split(/(^#{1,6}[ \t].*$)/m).reduce((all, line) => {
            for (const [term, n] of countsOf(line)) all.set(term, (all.get(term) ?? 0) + n);
            return all;
          }, new Map<string, number>());
        for (const [place, text] of texts.entries()) {
          assert.deepEqual(sorted(collected(collector, place + 1)), sorted(lines(text)), text);
        }
      },
    ),
    { numRuns: 2000 },
  );
});

Deno.test("TermCollector counts words in headings, titles and other names apart", () => {
  const collector = new TermCollector();
  assert.equal(collector.addName(1, "Lock order", "decision.locks storage"), 2);
  assert.equal(collector.addPassage(1, "lock\n## Lock it\nlock lock"), 5);
  assert.equal(collector.addPassage(2, "lock"), 1);
  const entries: number[][] = [];
  const { passages, names } = collector.listsOf("lock");
  forEachPosting([passages!], 9, (...entry) => entries.push(entry));
  forEachPosting([names!], 9, (...entry) => entries.push(entry));
  assert.deepEqual(entries, [[1, 3, 1], [2, 1, 0], [1, 1, 0]]);
  assert.equal(collector.listsOf("storage").passages, null);
});
