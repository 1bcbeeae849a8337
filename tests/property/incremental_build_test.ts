import assert from "node:assert/strict";
import fc from "fast-check";
import { openForReading } from "../../src/platform/sqlite/mod.ts";
import { indexAnswers } from "../support/index_answers.ts";
import { fileHolds, indexContent } from "../support/index_content.ts";
import {
  inScratchProject,
  type RevisionWords,
  type ScratchProject,
} from "../support/scratch_project.ts";

const ITEMS = Array.from({ length: 12 }, (_, n) => `area.item${n}`);
const LONG = "Plain words that fill a passage well enough. ".repeat(6);

type Step =
  | { kind: "revise"; item: string; words: RevisionWords }
  | { kind: "deprecate" | "restore"; item: string }
  | { kind: "move"; item: string; to: string };

const words: fc.Arbitrary<RevisionWords> = fc.record({
  title: fc.constantFrom(
    "Plain title",
    "camelCaseName",
    "日本語の題",
    "Token sk-" + "a1".repeat(12),
  ),
  body: fc.array(
    fc.constantFrom("quokka", "parseHTTPRequest", "監視対象", "a_b-c", "Überfluß", "x\0y", "🎉"),
    { minLength: 1, maxLength: 5 },
  ).map((some) => some.map((word, n) => `## ${word} ${n}\n\n${word} ${LONG}`).join("\n\n")),
  status: fc.constantFrom("approved", "approved", "draft"),
  kind: fc.constantFrom("domain", "api"),
  namespace: fc.constantFrom("n", "m"),
});

const item = fc.constantFrom(...ITEMS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("revise" as const), item, words }) },
  fc.record({ kind: fc.constantFrom("deprecate" as const, "restore" as const), item }),
  fc.record({
    kind: fc.constant("move" as const),
    item,
    to: fc.constantFrom("public", "internal", "confidential"),
  }),
);

/** Writes what a step asks for, unless the item's life does not allow it. */
function write(scratch: ScratchProject, step: Step, life: Map<string, string>): void {
  const state = life.get(step.item);
  switch (step.kind) {
    case "revise":
      if (state === "deprecated") return;
      scratch.migrate(...scratch.revise(step.item, step.words));
      life.set(step.item, "live");
      return;
    case "deprecate":
      if (state !== "live") return;
      scratch.migrate({ op: "deprecateItem", itemId: step.item, reason: "gone" });
      life.set(step.item, "deprecated");
      return;
    case "restore":
      if (state !== "deprecated") return;
      scratch.migrate({ op: "restoreItem", itemId: step.item, reason: "back" });
      life.set(step.item, "live");
      return;
    case "move":
      if (state === undefined) return;
      scratch.migrate({
        op: "changeSensitivity",
        itemId: step.item,
        sensitivity: step.to,
        reason: "review",
      });
  }
}

const QUERIES = [
  "quokka",
  "parse http request",
  "監視",
  "words that fill a passage",
  '"plain words"',
  "quoka",
  "camelCaseName area item3",
];

/** Both builds say the same and answer the same, scores and ways included. */
function assertEqualBuilds(grown: string, fresh: string, includeUnapproved: boolean): void {
  assert.deepEqual(indexContent(grown), indexContent(fresh));
  for (const query of QUERIES) {
    for (const useDense of [false, true]) {
      const asking = { includeUnapproved, useDense };
      assert.deepEqual(
        indexAnswers(grown, query, asking),
        indexAnswers(fresh, query, asking),
        query,
      );
    }
  }
}

Deno.test("after any history of edits a build on top of the last equals one from scratch", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.boolean()), { minLength: 1, maxLength: 8 }),
      fc.record({
        includeUnapproved: fc.boolean(),
        embeddings: fc.boolean(),
        raptor: fc.boolean(),
      }),
      async (steps, flavour) => {
        await inScratchProject(async (scratch) => {
          const life = new Map<string, string>();
          for (const item of ITEMS) {
            write(scratch, { kind: "revise", item, words: { body: `${item} ${LONG}` } }, life);
          }
          await scratch.apply();
          await scratch.build(flavour);
          for (const [step, alsoOther] of steps) {
            write(scratch, step, life);
            await scratch.apply();
            if (alsoOther) {
              await scratch.build({ ...flavour, includeUnapproved: !flavour.includeUnapproved });
            }
            const grown = (await scratch.build(flavour)).report;
            const fresh = (await scratch.build({ ...flavour, reuse: false })).report;
            assertEqualBuilds(grown.indexPath, fresh.indexPath, flavour.includeUnapproved);
            assert.deepEqual(grown.secretFindings, fresh.secretFindings);
          }
        });
      },
    ),
    { numRuns: 12 },
  );
});

/** Words of every frequency, so that posting lists of every length come about. */
function prose(random: () => number, parts: number): string {
  const word = () => `w${Math.floor(3000 ** random())}`;
  return Array.from({ length: parts }, (_, n) => {
    const words = Array.from({ length: 40 }, word).join(" ");
    return `## Part ${n} ${word()}\n\nquokka ${words} words that fill a passage.`;
  }).join("\n\n");
}

function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

Deno.test("a long row of small builds stays equal to builds from scratch, and begins anew when most rows are gone", async () => {
  await inScratchProject(async (scratch) => {
    const random = seeded(7);
    const items = Array.from({ length: 100 }, (_, n) => `area.item${n}`);
    const add = (some: readonly string[]) =>
      scratch.add(Object.fromEntries(
        some.map((item) => [item, { title: item, body: prose(random, 12) }]),
      ));
    add(items);
    await scratch.apply();
    let path = (await scratch.build()).report.indexPath;
    const rows = (column: string) => {
      using file = openForReading(path);
      return file.get<{ n: number }>(`SELECT ${column} AS n FROM chunks`)!.n;
    };
    const parts = () => {
      using file = openForReading(path);
      return file.get<{ n: number }>("SELECT count(*) AS n FROM terms WHERE term = 'quokka'")!.n;
    };
    assert.ok(parts() > 1, "a long posting list has several rows");
    const passages = rows("count(*)");
    let anew = 0;
    for (let round = 0; round < 60; round++) {
      const first = Math.floor(random() * items.length);
      const before = rows("max(id)");
      add(items.slice(first, first + 5));
      await scratch.apply();
      path = (await scratch.build()).report.indexPath;
      if (rows("max(id)") < before) anew++;
      assert.ok(rows("max(id)") <= 2 * passages + 256 + 5 * 14);
      if (round % 9 !== 0) continue;
      const fresh = (await scratch.build({ reuse: false })).report.indexPath;
      assertEqualBuilds(path, fresh, false);
      assert.equal(rows("count(*)"), passages);
      // The next build stands on the fresh one otherwise.
      Deno.removeSync(fresh);
      path = (await scratch.build()).report.indexPath;
    }
    assert.ok(anew > 0, "most rows were gone at some time");
  });
});

Deno.test("a build on top of another copies it and leaves no byte of what was replaced", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add(Object.fromEntries(ITEMS.map((item) => [item, { body: `${item} ${LONG}` }])));
    scratch.add({ "area.item3": { body: `wombatish ${LONG}` } });
    await scratch.apply();
    assert.ok(fileHolds((await scratch.build()).report.indexPath, "wombatish"));
    scratch.add({ "area.item3": { body: `numbatish ${LONG}` } });
    await scratch.applyWithoutPurge();
    const { report } = await scratch.build();
    assert.ok(fileHolds(report.indexPath, "numbatish"));
    assert.ok(!fileHolds(report.indexPath, "wombatish"));
    using file = openForReading(report.indexPath);
    const last = file.get<{ item_id: string }>("SELECT item_id FROM documents ORDER BY id DESC")!;
    assert.equal(last.item_id, "area.item3", "only the changed document was written anew");
    assert.deepEqual(
      scratch.stateFiles().filter((name) => name.startsWith("theurian-index-")),
      [`theurian-index-${report.indexBuildId}.sqlite`],
    );
  });
});

Deno.test("a build after a purge on another branch equals one from scratch", async () => {
  await inScratchProject(async (scratch) => {
    const migrations = scratch.at(".theurian/migrations");
    const park = (id: string) =>
      Deno.renameSync(`${migrations}/${id}-x.yaml`, scratch.at(`${id}.parked`));
    scratch.add(Object.fromEntries(ITEMS.map((item) => [item, { body: `${item} ${LONG}` }])));
    await scratch.apply();
    await scratch.build();
    const other = scratch.migrate({ op: "deprecateItem", itemId: "area.item3", reason: "gone" });
    assert.equal((await scratch.apply()).indexPurge.published, true);
    park(other);
    scratch.add({ "area.item5": { body: `numbat ${LONG}` } });
    await scratch.apply();
    const grown = (await scratch.build()).report;
    const fresh = (await scratch.build({ reuse: false })).report;
    assert.equal(grown.chunks, ITEMS.length);
    assert.deepEqual(indexContent(grown.indexPath), indexContent(fresh.indexPath));
  });
});
