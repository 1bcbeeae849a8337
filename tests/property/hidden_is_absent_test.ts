/**
 * A caller learns nothing of what it may not see (retrieval.md 8.3): every answer over a corpus with
 * hidden items is, byte for byte, the answer over the same corpus without them.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { SENSITIVITIES, STATUSES } from "../../src/knowledge/model.ts";
import { sha256Hex } from "../../src/platform/hash.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import {
  inScratchProject,
  type Operation,
  type ScratchProject,
} from "../support/scratch_project.ts";
import { call, register } from "../support/tool_calls.ts";

interface Item {
  readonly itemId: string;
  readonly title: string;
  readonly body: string;
  readonly status: string;
  readonly sensitivity: string;
  readonly expired: boolean;
}

const words = [
  "retry",
  "queue",
  "queues",
  "zebra",
  "journal",
  "認証トークン",
  "LOCK_TIMEOUT",
  "the",
];
/** More words that `zeb` and `jurnal` might mean than any query looks at. */
const CROWD = Array.from({ length: 700 }, (_, i) => {
  const [a, b] = [String.fromCharCode(97 + i % 26), String.fromCharCode(97 + Math.floor(i / 26))];
  return `zeba${a}${b} j${a}urnal ju${a}nal`;
}).join(" ");
const prose = (maxLength: number) =>
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength }).map((list) => list.join(" "));
const item: fc.Arbitrary<Item> = fc.record({
  itemId: fc.constantFrom("a.a", "a.b", "b.a", "b.b", "c.a", "c.b"),
  title: prose(3),
  body: fc.tuple(prose(25), fc.constantFrom("", "", CROWD)).map(([text, crowd]) =>
    `## ${text}\n\n${text.repeat(12)}\n\n## Two\n\n${text.repeat(20)}\n${crowd}`
  ),
  status: fc.constantFrom(...STATUSES),
  sensitivity: fc.constantFrom(...SENSITIVITIES),
  expired: fc.boolean(),
});
const corpus = fc.uniqueArray(item, { selector: (one) => one.itemId, minLength: 1, maxLength: 6 });
const query = fc.array(
  fc.constantFrom(...words, "jurnal", "zeb", "journ", "attempt", '"retry queue"'),
  {
    minLength: 1,
    maxLength: 3,
  },
).map((list) => list.join(" "));

function isHidden({ status, sensitivity }: Item, includeUnapproved: boolean): boolean {
  const statuses = includeUnapproved ? ["approved", "draft", "proposed"] : ["approved"];
  return !statuses.includes(status) || !["public", "internal"].includes(sensitivity);
}

/** Operations with ids that follow from the item, so that two projects agree about them. */
function operationsOf(project: ScratchProject, one: Item): Operation[] {
  const { itemId, title, body, status, sensitivity, expired } = one;
  const digest = sha256Hex(itemId).slice(0, 16).toUpperCase().replace(/[ILOU]/g, "0");
  const revisionId = `01KA0RV000${digest}`;
  Deno.writeTextFileSync(project.at(`.theurian/knowledge/${revisionId}.md`), body);
  const common = { kind: "domain", namespace: "n", owner: "ada" };
  const upsert = {
    op: "upsertRevision",
    itemId,
    revisionId,
    contentFile: `../knowledge/${revisionId}.md`,
    contentSha256: sha256Hex(body),
    metadata: {
      ...common,
      title,
      contentType: "text/markdown",
      status,
      sensitivity,
      labels: ["authored-in-theurian"],
      validFrom: "2026-01-01T00:00:00Z",
      ...(expired ? { validTo: "2026-02-01T00:00:00Z" } : {}),
    },
  };
  return [{ op: "createItem", itemId, sensitivity, ...common }, upsert];
}

interface Setting {
  readonly items: readonly Item[];
  readonly asked: string;
  readonly includeUnapproved: boolean;
  /** An index that holds drafts answers as well when they are not asked for. */
  readonly indexesUnapproved: boolean;
  readonly raptor: boolean;
  readonly indexed: boolean;
}

/** Every answer a caller can get, without the two ids that name the state and the build. */
async function answersOver(setting: Setting, visible: readonly Item[]): Promise<string> {
  const { asked, includeUnapproved, indexesUnapproved, raptor, indexed, items } = setting;
  let text = "";
  await inScratchProject(async (project) => {
    project.migrate({
      op: "createItem",
      itemId: "z.bare",
      kind: "domain",
      namespace: "n",
      owner: "ada",
    }, ...visible.flatMap((one) => operationsOf(project, one)));
    await project.applyWithoutPurge();
    if (indexed) await project.build({ includeUnapproved: indexesUnapproved, raptor });
    const caller = register(project);
    const answers: JsonObject[] = [];
    const search = { projectId: "demo", query: asked, includeUnapproved };
    const asOf = "2026-02-15T00:00:00Z";
    for (const extra of [{}, { useDense: true }, { asOf }, { maxTokens: 600 }, { limit: 1 }]) {
      answers.push(await call(caller, "knowledge.search", { ...search, ...extra }));
    }
    for (const { itemId } of items) {
      answers.push(
        await call(caller, "knowledge.get", { projectId: "demo", itemId, includeUnapproved }),
      );
    }
    const hidden = /(\\?"(?:snapshotId|stateHash|indexBuildId)\\?": ?)\\?"[^"\\]*\\?"/g;
    text = JSON.stringify(answers).replace(hidden, "$1");
  });
  return text;
}

const setting: fc.Arbitrary<Setting> = fc.record({
  items: corpus,
  asked: query,
  includeUnapproved: fc.boolean(),
  indexesUnapproved: fc.boolean(),
  raptor: fc.boolean(),
  indexed: fc.constantFrom(true, true, true, false),
}).map((one) => ({ ...one, indexesUnapproved: one.indexesUnapproved || one.includeUnapproved }));

Deno.test("Hidden items change no byte of any answer of search and get", async () => {
  await fc.assert(
    fc.asyncProperty(setting, async (one) => {
      const visible = one.items.filter((item) => !isHidden(item, one.includeUnapproved));
      const withHidden = await answersOver(one, one.items);
      assert.equal(withHidden, await answersOver(one, visible));
    }),
    { numRuns: 40 },
  );
});
