import assert from "node:assert/strict";
import fc from "fast-check";
import { type IndexedItem, WordIndex } from "../../tests/support/word_index.ts";
import { stemWord } from "../lexicon/mod.ts";
import { WORD_WEIGHTS } from "./weights.ts";

const LEDGER: readonly IndexedItem[] = [
  {
    itemId: "decision.locks",
    title: "Advisory locks for account ordering",
    body:
      "Concurrent transfers are serialised by `pg_advisory_xact_lock`. Never hold a lock across a " +
      "network call. A wait above two seconds aborts with LOCK_TIMEOUT.",
  },
  {
    itemId: "architecture.journal",
    title: "Event journal",
    body:
      "Every change is appended to the journal. A duplicate `idempotencyKey` is answered with the " +
      "original posting. A projector folds it into the read model.",
  },
  {
    itemId: "convention.money",
    title: "Money in minor units",
    body:
      "Amounts are whole numbers. 金額は必ず最小通貨単位の整数で扱う。The café serves Grüße at 16:30.",
  },
  {
    itemId: "testing.fixtures",
    title: "Fixtures",
    body: "A draft about journals.",
    status: "draft",
  },
];

function first(query: string): string | undefined {
  using index = new WordIndex(LEDGER);
  return index.ask(query)[0];
}

Deno.test("rankWords() finds words in any inflection and case, with and without accents", () => {
  assert.equal(first("LOCKING"), "decision.locks");
  assert.equal(first("serialise a transfer"), "decision.locks");
  assert.equal(first("CAFE grusse"), "convention.money");
  assert.equal(first("projectors"), "architecture.journal");
});

Deno.test("rankWords() finds identifiers whole, by their words, by a part, in any spelling", () => {
  for (const query of ["idempotencyKey", "idempotency_key", "idempotencykey", "dempotenc"]) {
    assert.equal(first(query), "architecture.journal", query);
  }
  for (const query of ["advisory_xact", "xact", "lock_timeout", "LockTimeout", "xact_lo"]) {
    assert.equal(first(query), "decision.locks", query);
  }
  assert.equal(first("16:30"), "convention.money");
});

Deno.test("rankWords() forgives typing errors, and no more of them than a word can bear", () => {
  assert.equal(first("advisroy"), "decision.locks");
  assert.equal(first("jurnal"), "architecture.journal");
  assert.equal(first("projectr"), "architecture.journal");
  for (const query of ["xyzzy", "lo", "zebra giraffe", "qqqqqqqqqq"]) {
    assert.equal(first(query), undefined, query);
  }
});

Deno.test("rankWords() finds text without spaces from one character on", () => {
  for (const query of ["金", "金額", "整数", "通貨単位", "金額は必ず最小通貨単位"]) {
    assert.equal(first(query), "convention.money", query);
  }
  assert.equal(first("鍵"), undefined);
});

Deno.test("rankWords() lets noise words decide only when nothing else is found", () => {
  using index = new WordIndex(LEDGER);
  assert.deepEqual(index.ask("what is the journal"), ["architecture.journal"]);
  assert.ok(index.ask("the of and").length > 0);
  assert.ok(index.ask("a").length > 0);
});

Deno.test("rankWords() puts documents with quoted words side by side before all others", () => {
  using index = new WordIndex([
    { itemId: "a", title: "Cold model cold model", body: "model cold model model cold cold store" },
    { itemId: "b", title: "Other", body: "One cold store model and a lot of other text here." },
    { itemId: "c", title: "Third", body: "the cold-store model" },
  ]);
  assert.equal(index.ask("cold model")[0], "a");
  assert.equal(index.ask('"cold model"')[0], "a");
  assert.deepEqual(index.ask('"store model"').slice(0, 2).sort(), ["b", "c"]);
  assert.deepEqual(index.ask('"model elsewhere"'), index.ask("model elsewhere"));
  assert.deepEqual(
    index.ask('"cold model" "store model"'),
    index.ask("cold model store model"),
  );
});

Deno.test("rankWords() finds words of one meaning too, behind the word itself, the rarest counting", () => {
  using index = new WordIndex([
    { itemId: "a", title: "One", body: "A refund is due." },
    { itemId: "b", title: "Two", body: "A reimbursement is due." },
    { itemId: "c", title: "Three", body: "A credit is due." },
    { itemId: "d", title: "Four", body: "A credit and a voucher are due." },
  ]);
  assert.equal(index.ask("refund")[0], "a");
  assert.deepEqual(index.ask("refund").slice(1).sort(), ["b", "c", "d"]);
  const [found] = index.rank("refund").found;
  assert.deepEqual([found!.finding, found!.terms], ["exact", ["refund"]]);
  assert.deepEqual(found!.related.toSorted(), ["credit", "reimbursement", "voucher"]);
  assert.equal(index.rank("compensation").found[0]!.finding, "synonym");
  assert.deepEqual(index.ask("compensation due").length, 4);
});

Deno.test("rankWords() takes no word that is spelt well for another with an error", () => {
  using index = new WordIndex([
    { itemId: "a", title: "Internal", body: "An internal matter of letters." },
    { itemId: "b", title: "Outside", body: "What comes from outside." },
  ]);
  assert.deepEqual(index.ask("external"), ["b"]);
  assert.deepEqual(index.ask("leter"), ["a"]);
  assert.deepEqual(index.ask("better"), []);
});

Deno.test("rankWords() counts a word once, however often and in whatever inflection it is asked for", () => {
  using index = new WordIndex(LEDGER);
  const scores = (query: string) =>
    index.rank(query, { weights: { ...WORD_WEIGHTS, joined: 0 } })
      .documents.map(({ document, score }) => [document, score.toFixed(12)]);
  assert.deepEqual(scores("journal, network"), scores("journal, journals, network, networks"));
});

Deno.test("rankWords() finds a compound name by its words written apart", () => {
  using index = new WordIndex([
    { itemId: "a", title: "Fees", body: "A no-show costs four euros." },
    { itemId: "b", title: "Screens", body: "Show me the way." },
    { itemId: "c", title: "Waits", body: "The timeout is short." },
  ]);
  assert.deepEqual(index.ask("no show"), ["a"]);
  assert.deepEqual(index.ask("time out"), ["c"]);
});

Deno.test("rankWords() takes every text as a query", () => {
  using index = new WordIndex(LEDGER);
  const texts = [
    '"',
    "* ( ) : ^ -",
    "NEAR(a b)",
    "title:journal",
    "a AND",
    "\0",
    "?\ud800",
    "'--",
    "%_",
  ];
  for (const text of [...texts, "🚀", "journal".repeat(280), "ー", '"".""', "「」"]) {
    assert.ok(Array.isArray(index.ask(text)), JSON.stringify(text));
  }
});

Deno.test("rankWords() shows the passage that answers", () => {
  const filler = "Nothing of interest is said here. ".repeat(40);
  using index = new WordIndex([
    {
      itemId: "a",
      title: "Long",
      body: `# One\n\n${filler}\n\n# Two\n\nThe zebra rests.\n${filler}`,
    },
  ]);
  const [found] = index.rank("zebra").documents;
  assert.ok(found!.ordinal > 0);
  const row = index.lexicon.facts.rows[0]! + found!.ordinal;
  const chunk = index.connection.get<{ text: string }>("SELECT text FROM chunks WHERE id = ?", row);
  assert.match(chunk!.text, /zebra/);
  assert.equal(index.rank("long").documents[0]!.ordinal, 0);
});

const word = fc.constantFrom(
  ...["lock", "locks", "locking", "journal", "retry", "the", "a", "queue", "zebra", "cache"],
);
const prose = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
const item = fc.record({
  itemId: fc.constantFrom("a.a", "a.b", "b.a", "b.b", "c.a", "c.b", "d.a"),
  title: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" ")),
  body: prose,
  status: fc.constantFrom("approved", "draft", "proposed"),
});
const items = fc.uniqueArray(item, { selector: (one) => one.itemId, maxLength: 7 });
const query = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));

Deno.test("rankWords() answers as if what a call may not see did not exist", () => {
  fc.assert(
    fc.property(items, query, (all, asked) => {
      using whole = new WordIndex(all);
      using approved = new WordIndex(all.filter((one) => one.status === "approved"));
      const seen = (index: WordIndex) => {
        const { documents, found } = index.rank(asked);
        return [index.ask(asked), documents.map(({ score, ordinal }) => [score, ordinal]), found];
      };
      assert.deepEqual(seen(whole), seen(approved));
    }),
    { numRuns: 300 },
  );
});

/** Words in numbers that no query looks at, each closer at hand than the one that is meant. */
function crowd(): string[] {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const completions = letters.flatMap((a) => letters.map((b) => `zeba${a}${b}`));
  const corrections = ["a", "b", "c"].flatMap((second) =>
    Array.from({ length: 9 }, (_, i) =>
      letters.map((letter) => {
        const word = [...`i${second}empotxnsy`];
        word[i + 2] = letter;
        return word.join("");
      })).flat()
  );
  return [...completions, ...corrections];
}

Deno.test("rankWords() completes and corrects as if hidden words did not crowd out the visible ones", () => {
  const seen = { itemId: "a", title: "Zebra", body: "The zebra knows idempotency and trial runs." };
  const hidden = {
    itemId: "b",
    title: "Draft",
    body: `${crowd().join(" ")} attempt experiment`,
    status: "draft",
  };
  using both = new WordIndex([seen, hidden]);
  using alone = new WordIndex([seen]);
  for (const query of ["zeb", "zebr", "idempotxnsy", "experiment", "pilot", "attempts"]) {
    const [here, there] = [both.rank(query), alone.rank(query)];
    assert.deepEqual(here, there, query);
    assert.equal(here.documents.length, query === "attempts" ? 0 : 1, query);
  }
  assert.equal(both.ask("zeb", { includeUnapproved: true })[0], "b");
});

/** BM25 over fields written down once more, over plain words and without an index. */
function naiveScores(all: readonly IndexedItem[], asked: string): Map<string, number> {
  const noise = new Set(["the", "a"]);
  const stems = (text: string) => text.split(/\s+/).filter((one) => one !== "").map(stemWord);
  const documents = all.filter((one) => one.status === "approved")
    .map((one) => ({
      id: one.itemId,
      body: stems(one.body),
      title: stems(one.title),
      id2: stems(one.itemId.replaceAll(".", " ")),
    }));
  const average = (count: (d: typeof documents[number]) => number) =>
    Math.max(1, documents.reduce((sum, d) => sum + count(d), 0) / Math.max(1, documents.length));
  const body = average((d) => d.body.length);
  const title = average((d) => d.title.length);
  const w = WORD_WEIGHTS;
  const wanted = [...new Map(asked.split(" ").map((one) => [stemWord(one), one])).values()];
  const telling = wanted.filter((one) => !noise.has(one));
  const units = telling.some((one) => documents.some((d) => frequencies(d, one) > 0))
    ? telling
    : wanted.filter((one) => noise.has(one));
  function frequencies(d: typeof documents[number], unit: string): number {
    const stem = stemWord(unit);
    const count = (words: string[]) => words.filter((one) => one === stem).length;
    return count(d.body) + count(d.title) + count(d.id2);
  }
  const scores = new Map<string, number>();
  for (const unit of units) {
    const stem = stemWord(unit);
    const count = (words: string[]) => words.filter((one) => one === stem).length;
    const holders = documents.filter((d) => frequencies(d, unit) > 0);
    const rarity = Math.log(1 + (documents.length - holders.length + 0.5) / (holders.length + 0.5));
    const saturate = (f: number) => f * (w.saturation + 1) / (w.saturation + f);
    for (const d of holders) {
      const inBody = count(d.body) * w.text /
        (1 - w.lengthPenalty + w.lengthPenalty * d.body.length / body);
      const inTitle = count(d.title) * w.title /
        (1 - w.titleLengthPenalty + w.titleLengthPenalty * d.title.length / title);
      const named = inTitle + count(d.id2) * w.otherNames;
      const added = saturate(inBody + named) + w.name * named / (1 + named) +
        w.passage * saturate(inBody);
      scores.set(d.id, (scores.get(d.id) ?? 0) + rarity * added);
    }
  }
  return scores;
}

Deno.test("rankWords() orders as scoring every document by hand does, for common and rare words", () => {
  const weights = {
    ...WORD_WEIGHTS,
    coverage: 0,
    misspelt: 0,
    partial: 0,
    synonym: 0,
    wholeName: 0,
    related: 0,
    near: 0,
  };
  fc.assert(
    fc.property(items, query, (all, asked) => {
      using index = new WordIndex(all);
      const expected = naiveScores(all, asked);
      const ranked = index.rank(asked, { weights }).documents;
      const ids = all.map((one) => one.itemId).sort();
      assert.deepEqual(new Set(ranked.map((one) => ids[one.document]!)), new Set(expected.keys()));
      for (const [place, one] of ranked.entries()) {
        const next = ranked[place + 1];
        if (next === undefined) break;
        const here = expected.get(ids[one.document]!)!;
        const there = expected.get(ids[next.document]!)!;
        assert.ok(here >= there - 1e-9, `${here} before ${there} for ${asked}`);
      }
    }),
    { numRuns: 300 },
  );
});
