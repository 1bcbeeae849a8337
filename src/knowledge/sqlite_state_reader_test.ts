import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { openForWriting } from "../platform/sqlite/mod.ts";
import {
  KnowledgeProject,
  migrationId,
  revisionId,
} from "../../tests/support/knowledge_project.ts";
import { SENSITIVITIES, servedText, STATUSES } from "./model.ts";
import { openActiveState } from "./open_state.ts";
import { sha256Hex } from "../platform/hash.ts";
import { stateFilename } from "./state_files.ts";
import type { StateReader } from "./state_reader.ts";

const EVERYTHING = { statuses: STATUSES, sensitivities: SENSITIVITIES };
const SERVED = { statuses: ["approved"], sensitivities: ["public", "internal"] } as const;

const damaged = (error: unknown) => {
  assert.ok(isFault(error, "state-unreadable"), String(error));
  assert.equal(error.exit, 4);
  assert.match(error.remedy, /Delete \.theurian\/state\//);
  assert.doesNotMatch(error.message, /nonsense|Title 1|body 1/i);
  return true;
};

/** A state with three items; `sql` then damages it. */
async function withState(
  sql: string,
  work: (reader: StateReader) => void,
  build?: (at: KnowledgeProject) => void,
): Promise<void> {
  using at = new KnowledgeProject();
  if (build !== undefined) build(at);
  else {at.migration(1, [
      at.upsert("a", 1),
      at.upsert("b", 2),
      at.upsert("c", 3, { status: "draft" }),
    ]);}
  const { stateHash } = await at.apply();
  const path = at.path(`.theurian/state/${stateFilename(stateHash)}`);
  if (sql !== "") {
    using connection = openForWriting(path, { create: false, journal: "delete" });
    connection.exec(sql);
  }
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  work(reader);
}

const ids = (items: Iterable<{ itemId: string }>) => [...items].map((item) => item.itemId);

Deno.test("items() admits by status and level, in order of ids", async () => {
  await withState("", (reader) => {
    assert.deepEqual(ids(reader.items(EVERYTHING)), ["a", "b", "c"]);
    assert.deepEqual(ids(reader.items(SERVED)), ["a", "b"]);
    assert.deepEqual(ids(reader.items({ ...SERVED, sensitivities: ["public"] })), []);
    assert.deepEqual(ids(reader.items({ ...SERVED, statuses: [] })), []);
    assert.deepEqual([...reader.countByStatus(EVERYTHING)], [["approved", 2], ["draft", 1]]);
    assert.deepEqual([...reader.countByStatus(SERVED)], [["approved", 2]]);
  });
});

Deno.test("currentRevisions() gives one row an item without reading a body", async () => {
  await withState("UPDATE bodies SET bytes = x'00'", (reader) => {
    const rows = [...reader.currentRevisions(SERVED)];
    assert.deepEqual(rows.map((row) => [row.itemId, row.revisionId, row.revisionItemId]), [
      ["a", revisionId(1), "a"],
      ["b", revisionId(2), "b"],
    ]);
    assert.equal(rows[0]!.servedSha256, sha256Hex(servedText("Title 1", "body 1 of a\n")));
    assert.notEqual(rows[0]!.stamp, rows[1]!.stamp);
  });
  await withState("DELETE FROM revisions WHERE item_id = 'a'", (reader) => {
    assert.deepEqual(ids(reader.currentRevisions(SERVED)), ["b"]);
  });
});

Deno.test("texts with NUL, quotes and astral characters come back as they were written", async () => {
  const strange = "x\0y \" ' 😀 \u2028";
  await withState("", (reader) => {
    const item = reader.item("a")!;
    const revision = reader.currentRevision(item)!;
    assert.equal(item.owner, strange);
    assert.equal(revision.title, strange);
    assert.deepEqual(revision.labels, [strange]);
    assert.deepEqual(revision.scopePaths, [strange]);
    assert.equal(revision.sourceAnchors[0]?.sourceUri, strange);
    assert.equal(revision.body, `\ufeff\r\n${strange}`);
    assert.equal(reader.currentSummary(item)?.title, strange);
    assert.deepEqual(reader.evidence().map((one) => one.anchor.sourceUri), [strange, "x\0z"]);
    assert.equal(reader.relations()[0]?.note, strange);
  }, (at) => {
    const body = `\ufeff\r\n${strange}`;
    at.write(".theurian/knowledge/a.md", body);
    const evidence = (sourceUri: string) => ({
      op: "addEvidence",
      itemId: "a",
      anchor: { provider: "p", sourceUri },
      description: "d",
    });
    at.migration(1, [
      {
        ...at.upsert("a", 1, {
          title: strange,
          owner: strange,
          labels: [strange],
          scope: { paths: [strange] },
          sourceAnchors: [{ provider: "p", sourceUri: strange }],
        }),
        contentFile: "../knowledge/a.md",
        contentSha256: sha256Hex(body),
      },
      evidence(strange),
      evidence("x\0z"),
      {
        op: "addRelation",
        sourceItemId: "a",
        relationType: "rejects",
        targetItemId: "b",
        note: strange,
      },
    ]);
  });
});

Deno.test("relationsTouching() gives stored edges of both ends, once, in their stored order", async () => {
  await withState("", (reader) => {
    const edges = reader.relationsTouching("a").map((edge) =>
      `${edge.sourceItemId} ${edge.relationType} ${edge.targetItemId}`
    );
    assert.deepEqual(edges, ["a implements b", "a related_to c", "b rejects a"]);
    assert.equal(reader.aliasTarget("old"), "a");
    assert.equal(reader.aliasTarget("a"), null);
  }, (at) => {
    const edge = (sourceItemId: string, relationType: string, targetItemId: string) => ({
      op: "addRelation",
      sourceItemId,
      relationType,
      targetItemId,
    });
    at.migration(1, [
      edge("b", "rejects", "a"),
      edge("a", "related_to", "c"),
      edge("a", "implements", "b"),
      edge("c", "rejects", "b"),
      { op: "addAlias", alias: "old", itemId: "a" },
    ]);
  });
});

Deno.test("an unknown status drops out of walks and counts, and refuses where it is read", async () => {
  await withState("UPDATE items SET status = 'nonsense' WHERE item_id = 'a'", (reader) => {
    assert.deepEqual(ids(reader.items(SERVED)), ["b"]);
    assert.deepEqual([...reader.countByStatus(SERVED)], [["approved", 1]]);
    assert.throws(() => reader.item("a"), damaged);
    assert.throws(() => [...reader.allItems()], damaged);
    const { surfaceable, expected } = reader.integrityCounts();
    assert.deepEqual([surfaceable, expected], [2, 3]);
  });
});

Deno.test("an unknown level refuses every read that could meet it", async () => {
  await withState("UPDATE items SET sensitivity = 'nonsense' WHERE item_id = 'a'", (reader) => {
    assert.throws(() => [...reader.items(SERVED)], damaged);
    assert.throws(() => [...reader.currentRevisions(SERVED)], damaged);
    assert.throws(() => reader.countByStatus(SERVED), damaged);
    assert.throws(() => reader.item("a"), damaged);
    assert.equal(reader.item("b")?.itemId, "b");
  });
});

Deno.test("an altered body is refused; an altered title is not what was indexed", async () => {
  await withState("UPDATE bodies SET bytes = CAST('nonsense' AS BLOB)", (reader) => {
    assert.throws(() => reader.currentRevision(reader.item("a")!), damaged);
    assert.throws(() => reader.revision(revisionId(1)), damaged);
  });
  const title = "UPDATE revisions SET facts = json_set(facts, '$.title', 'Nonsense')";
  await withState(title, (reader) => {
    const item = reader.item("a")!;
    assert.equal(reader.currentRevision(item)?.title, "Nonsense");
    assert.notEqual(
      reader.currentSummary(item)?.servedSha256,
      sha256Hex(servedText("Nonsense", "body 1 of a\n")),
    );
  });
});

Deno.test("a pointer to a sibling's revision never serves the sibling's text", async () => {
  const sql = `UPDATE items SET revision_id = '${revisionId(2)}' WHERE item_id = 'a'`;
  await withState(sql, (reader) => {
    const item = reader.item("a")!;
    assert.throws(() => reader.currentRevision(item), damaged);
    assert.equal(reader.currentSummary(item)?.itemId, "b");
  });
});

Deno.test("a missing revision and a missing body are refused, no revision is none", async () => {
  await withState("DELETE FROM revisions", (reader) => {
    const item = reader.item("a")!;
    assert.throws(() => reader.currentRevision(item), /missing/);
    assert.throws(() => reader.currentSummary(item), damaged);
    assert.equal(reader.revision(revisionId(1)), null);
  });
  await withState("DELETE FROM bodies", (reader) => {
    assert.throws(() => reader.currentRevision(reader.item("a")!), damaged);
  });
  await withState("UPDATE items SET revision_id = NULL", (reader) => {
    const item = reader.item("a")!;
    assert.equal(reader.currentRevision(item), null);
    assert.equal(reader.currentSummary(item), null);
  });
});

Deno.test("a row that is not in its form is refused, whatever is wrong with it", async () => {
  const changes = [
    "facts = 'nonsense'",
    "facts = '[]'",
    "facts = json_remove(facts, '$.title')",
    "facts = json_set(facts, '$.title', ' ')",
    "facts = json_set(facts, '$.title', 5)",
    "facts = json_set(facts, '$.labels', 5)",
    "facts = json_set(facts, '$.kind', 'nonsense')",
    "facts = json_set(facts, '$.validFrom', 'nonsense')",
    "facts = json_set(facts, '$.sourceAnchors', json('[]'))",
    "facts = json_set(facts, '$.sourceAnchors[0].lineStart', 0)",
    "facts = json_set(facts, '$.sourceAnchors[0].provider', 5)",
  ];
  for (const change of changes) {
    await withState(`UPDATE revisions SET ${change}`, (reader) => {
      assert.throws(() => reader.revision(revisionId(1)), damaged, change);
    });
  }
});

Deno.test("lost tables and lost records are told", async () => {
  await withState("DROP TABLE revisions", (reader) => {
    assert.throws(() => reader.revision(revisionId(1)), damaged);
    assert.throws(() => [...reader.currentRevisions(SERVED)], damaged);
  });
  await withState("UPDATE meta SET surfaceable = NULL", (reader) => {
    assert.equal(reader.integrityCounts().expected, null);
  });
  await withState("DELETE FROM history", (reader) => {
    assert.equal(reader.integrityCounts().migrations, 0);
    assert.deepEqual(reader.history(), []);
  });
  await withState("", (reader) => {
    assert.deepEqual(reader.history().map((row) => row.migrationId), [migrationId(1)]);
  });
});
