import assert from "node:assert/strict";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import {
  ANCHOR,
  draft,
  draftOperations,
  EVIDENCE,
  refusal,
  tree,
} from "../../tests/support/proposals.ts";

const KEY = "AKIAIOSFODNN7EXAMPLE";

/** Values that the schema refuses, each with a secret that the refusal must not repeat. */
const ECHOED: Readonly<Record<string, Parameters<typeof draft>[1]>> = {
  "a title that is too long": { title: `${KEY} ${"t".repeat(300)}` },
  "an author that is too long": { author: `${KEY} ${"t".repeat(320)}` },
  "a commit that is none": { sourceAnchors: [{ ...ANCHOR, commitSha: KEY }] },
  "a label that is too long": { labels: [`${KEY}${"x".repeat(64)}`] },
  "a namespace with a control character": { namespace: `${KEY}\u0001` },
};

for (const [what, words] of Object.entries(ECHOED)) {
  Deno.test(`a draft with ${what} is refused by place and rule, without the value`, () =>
    inScratchProject(async (scratch) => {
      const { message, remedy } = await refusal(2, () => draft(scratch, words));
      assert.match(message, /the migration would not be valid, `\S+` must /);
      assert.ok(!`${message}${remedy}`.includes("AKIA"), message);
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    }));
}

Deno.test("a document's unknown key is named, unless it looks as if it held a secret", () =>
  inScratchProject(async (scratch) => {
    const operation = { op: "deprecateItem", itemId: "a.b" };
    const named = await refusal(2, () => draftOperations(scratch, [{ ...operation, why: 1 }]));
    assert.match(named.message, /operations\/0` has keys that are not allowed: "why"/);
    for (const more of [{ [KEY]: 1 }, { ["__proto__"]: 1 }]) {
      const { message } = await refusal(2, () => draftOperations(scratch, [operation], more));
      assert.ok(!message.includes("AKIAI"), message);
    }
    const long = await refusal(
      2,
      () => draftOperations(scratch, [operation], { ["k".repeat(9_000)]: 1 }),
    );
    assert.ok(long.message.length < 3_000);
  }));

Deno.test("a document with a number beyond what is exact is refused like any other wrong value", () =>
  inScratchProject(async (scratch) => {
    for (
      const operation of [
        { op: "deprecateItem", itemId: 123456789012345678901n },
        { op: "deprecateItem", itemId: "a.b", reason: 123456789012345678901n },
        {
          op: "addEvidence",
          itemId: "a.b",
          anchor: { provider: "git", sourceUri: "x", lineStart: 123456789012345678901n },
        },
      ]
    ) {
      await refusal(2, () => draftOperations(scratch, [operation]));
    }
    await refusal(2, () =>
      draftOperations(scratch, [{ op: "removeAlias", alias: "a.b" }], {
        author: 123456789012345678901n,
      }));
  }));

Deno.test("a draft whose migration accept could not take in is refused", () =>
  inScratchProject(async (scratch) => {
    const many = Array.from({ length: 20_000 }, (_, i) => `label-${i}-${"x".repeat(50)}`);
    const { message } = await refusal(2, () => draft(scratch, { labels: many }));
    assert.match(message, /1000000 characters/);
    const ids = Array.from({ length: 40_000 }, () => scratch.ulids());
    await refusal(
      2,
      () => draftOperations(scratch, [{ op: "removeAlias", alias: "a.b" }], { dependsOn: ids }),
    );
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
  }));

Deno.test("a draft whose evidence accept could not read is refused", () =>
  inScratchProject(async (scratch) => {
    const evidence = { ...EVIDENCE, reasoning: "é".repeat(1_500_000) };
    const { remedy } = await refusal(2, () => draft(scratch, { evidence }));
    assert.match(remedy, /reasoning/);
  }));

const SECRETS: Readonly<Record<string, Parameters<typeof draft>[1]>> = {
  "the body": { body: `x ${KEY}\n` },
  "the title": { title: KEY },
  "a label": { labels: [KEY] },
  "an anchor": { sourceAnchors: [{ ...ANCHOR, sourceUri: `git://x/${KEY}` }] },
  "the reasoning": { evidence: { ...EVIDENCE, reasoning: KEY } },
  "the item id": { itemId: "sk-abcdefghijklmnopqrstuvwxyz1" },
};

for (const [where, words] of Object.entries(SECRETS)) {
  Deno.test(`a draft with a secret in ${where} is refused under block and drafted under warn`, () =>
    inScratchProject(async (scratch) => {
      const { message, wireCode } = await refusal(2, () => draft(scratch, words));
      assert.equal(wireCode, "INVALID_INPUT");
      assert.ok(!message.includes(KEY.slice(0, 5)) && !message.includes("sk-ab"), message);
      assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
      Deno.writeTextFileSync(
        scratch.at(".theurian/config.yaml"),
        "security:\n  secretScan: warn\n",
      );
      await draft(scratch, words);
    }));
}

Deno.test("a client that repeats itself with another text each time stops at the bound, with a way out", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), "proposals:\n  maxPending: 20\n");
    let drafted = 0;
    let refused = 0;
    for (let i = 0; i < 60; i++) {
      try {
        await draft(scratch, { body: `attempt ${i}\n` });
        drafted++;
      } catch {
        refused++;
      }
    }
    assert.deepEqual([drafted, refused], [20, 40]);
    const { message, remedy } = await refusal(1, () => draft(scratch, { body: "more\n" }));
    assert.match(message, /20 proposals wait for review/);
    assert.match(remedy, /propose list.*propose discard.*proposals\.maxPending/s);
    // What repeats a waiting one still gets its answer.
    await draft(scratch, { body: "attempt 3\n" });
  }));
