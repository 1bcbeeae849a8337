import assert from "node:assert/strict";
import { addDemo, revise } from "../../tests/support/demo_corpus.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  call,
  type Caller,
  payloadOf,
  refusalText,
  register,
} from "../../tests/support/tool_calls.ts";
import type { JsonObject } from "../platform/json.ts";
import { openForWriting } from "../platform/sqlite/mod.ts";

interface Retrieval extends JsonObject {
  readonly fallbackReason: string | null;
  readonly stale: boolean | null;
  readonly mode: string;
  readonly note: string;
  readonly emptyReason: string | null;
  readonly indexBuildId: string;
}

async function ask(caller: Caller, query = "retry", extra: JsonObject = {}) {
  const result = await call(caller, "knowledge.search", { projectId: "demo", query, ...extra });
  const payload = payloadOf(result);
  const results = payload["results"] as unknown as readonly {
    itemId: string;
    foundBy?: string[];
  }[];
  return {
    ids: results.map((hit) => hit.itemId),
    results,
    retrieval: payload["retrieval"] as unknown as Retrieval,
    integrity: payload["integrity"],
  };
}

async function inIndexed(
  work: (project: ScratchProject, caller: Caller) => Promise<void>,
  build: Parameters<ScratchProject["build"]>[0] = {},
): Promise<void> {
  await inScratchProject(async (project) => {
    addDemo(project);
    await project.applyWithoutPurge();
    await project.build(build);
    await work(project, register(project));
  });
}

function pointerPath(project: ScratchProject): string {
  return project.state("active-index.json");
}

function editPointer(project: ScratchProject, changes: JsonObject): void {
  const pointer = JSON.parse(Deno.readTextFileSync(pointerPath(project)));
  const edited = { ...pointer, ...changes };
  for (const [key, value] of Object.entries(edited)) if (value === undefined) delete edited[key];
  Deno.writeTextFileSync(pointerPath(project), JSON.stringify(edited));
}

function indexFile(project: ScratchProject): string {
  const name = project.stateFiles().find((one) => /^theurian-index-.*\.sqlite$/.test(one))!;
  return project.state(name);
}

function stateFile(project: ScratchProject): string {
  const name = project.stateFiles().find((one) => /^theurian-state-.*\.sqlite$/.test(one))!;
  return project.state(name);
}

/** Changes a database in place, as damage would. */
function damage(path: string, sql: string): void {
  using connection = openForWriting(path, { create: false, journal: "delete" });
  connection.exec(sql);
}

const UNDEFINED = undefined as unknown as null;

Deno.test("searchKnowledge() falls back to the scan, naming the first reason that holds", async () => {
  const rows: readonly [string, (project: ScratchProject) => void, JsonObject?][] = [
    ["no-index", (p) => Deno.removeSync(pointerPath(p))],
    ["no-index", (p) => editPointer(p, { stamp: UNDEFINED })],
    ["index-pointer-invalid", (p) => Deno.writeTextFileSync(pointerPath(p), "{")],
    ["index-pointer-invalid", (p) => Deno.writeTextFileSync(pointerPath(p), "[]")],
    ["index-pointer-invalid", (p) => editPointer(p, { indexBuildId: "  " })],
    ["index-pointer-invalid", (p) => editPointer(p, { indexBuildId: "../../../x" })],
    ["index-pointer-invalid", (p) => {
      Deno.removeSync(pointerPath(p));
      Deno.mkdirSync(pointerPath(p));
    }],
    ["index-purge-failed", (p) => editPointer(p, { purgeFailed: "false" })],
    ["index-purge-failed", (p) => {
      editPointer(p, { purgeFailed: true });
      Deno.removeSync(indexFile(p));
    }],
    ["index-file-missing", (p) => Deno.removeSync(indexFile(p))],
    ["index-unbuilt", (p) => {
      const id = "01KA0RV0010000000000000000";
      Deno.copyFileSync(indexFile(p), p.state(`theurian-index-${id}.sqlite`));
      editPointer(p, { indexBuildId: id });
    }],
    ["index-schema-mismatch", (p) => Deno.writeTextFileSync(indexFile(p), "garbage")],
    ["index-schema-mismatch", (p) => damage(indexFile(p), "PRAGMA user_version = 99")],
    [
      "index-project-mismatch",
      (p) => editPointer(p, { projectId: "other", indexedSensitivities: [] }),
    ],
    ["index-project-mismatch", (p) => editPointer(p, { projectId: UNDEFINED })],
    ["serving-profile-mismatch", (p) => editPointer(p, { indexedSensitivities: ["public"] }), {
      includeUnapproved: true,
    }],
    [
      "serving-profile-mismatch",
      (p) => editPointer(p, { indexedSensitivities: ["public", "bogus"] }),
    ],
    [
      "serving-profile-mismatch",
      (p) => editPointer(p, { indexedSensitivities: ["public", "internal", "bogus"] }),
    ],
    ["unapproved-not-indexed", () => {}, { includeUnapproved: true }],
    ["index-unreadable", (p) => damage(indexFile(p), "DROP TABLE terms")],
    ["index-unreadable", (p) => damage(indexFile(p), "DROP TABLE chunks")],
    ["index-unreadable", (p) => damage(indexFile(p), "DELETE FROM lexicon")],
  ];
  for (const [reason, act, extra] of rows) {
    await inIndexed(async (project, caller) => {
      act(project);
      const { ids, retrieval } = await ask(caller, "retry", extra);
      assert.equal(retrieval.fallbackReason, reason);
      assert.equal(retrieval.mode, "substring");
      assert.deepEqual(ids.filter((id) => id !== "arch.queue"), ["ops.cache", "ops.retry"]);
      assert.match(retrieval.note, /theurian index build/);
      for (const level of ["confidential", "restricted"]) {
        assert.ok(!retrieval.note.includes(level));
      }
      const none = await ask(caller, "zzzz", extra);
      assert.equal(
        none.retrieval.emptyReason,
        reason === "no-index" ? "not-indexed" : "index-stale-scan",
      );
    });
  }
});

Deno.test("searchKnowledge() scans when postings or passages do not fit together", async () => {
  for (const sql of ["UPDATE terms SET passages = x'ff'", "DELETE FROM documents"]) {
    await inIndexed(async (project, caller) => {
      damage(indexFile(project), sql);
      const { ids, retrieval } = await ask(caller);
      assert.equal(retrieval.fallbackReason, "index-unreadable");
      assert.deepEqual(ids, ["ops.cache", "ops.retry"]);
    });
  }
});

Deno.test("searchKnowledge() never waits on a pipe, and serves an index that is only odd", async () => {
  await inIndexed(async (project, caller) => {
    for (const changes of [{ indexedSensitivities: ["internal", "public", "public"] }] as const) {
      editPointer(project, changes as unknown as JsonObject);
      assert.equal((await ask(caller)).retrieval.fallbackReason, null);
    }
    editPointer(project, { stateHash: UNDEFINED });
    const stale = await ask(caller);
    assert.deepEqual([stale.retrieval.fallbackReason, stale.retrieval.stale], [null, true]);
    editPointer(project, { indexesUnapproved: true });
    const believed = await ask(caller, "retry", { includeUnapproved: true });
    assert.deepEqual(believed.ids, ["ops.retry", "ops.cache"]);
    const pipes = [
      [indexFile(project), "index-file-missing"],
      [pointerPath(project), "index-pointer-invalid"],
    ] as const;
    for (const [path, reason] of pipes) {
      Deno.removeSync(path);
      await new Deno.Command("mkfifo", { args: [path] }).output();
      assert.equal((await ask(caller)).retrieval.fallbackReason, reason);
    }
  });
});

Deno.test("searchKnowledge() under another ceiling scans what that ceiling shows", async () => {
  await inIndexed(async (_project, caller) => {
    const wide = await ask({ ...caller, ceiling: "confidential" }, "zebra");
    assert.deepEqual([wide.ids, wide.retrieval.fallbackReason], [
      ["sec.keys"],
      "serving-profile-mismatch",
    ]);
    assert.deepEqual((await ask({ ...caller, ceiling: "public" }, "retry")).ids, ["ops.cache"]);
  });
});

Deno.test("searchKnowledge() over a damaged state drops, refuses or reports as the damage asks", async () => {
  type Expected = "dropped" | "refused" | readonly string[];
  const rows: readonly [string, Expected, Expected][] = [
    ["UPDATE items SET status = 'odd' WHERE item_id = 'ops.retry'", "refused", ["ops.cache"]],
    ["UPDATE items SET sensitivity = 'odd' WHERE item_id = 'ops.retry'", "refused", "refused"],
    ["UPDATE items SET revision_id = NULL WHERE item_id = 'ops.retry'", "dropped", ["ops.cache"]],
    [
      "UPDATE items SET revision_id = (SELECT revision_id FROM items WHERE item_id = 'ops.cache') " +
      "WHERE item_id = 'ops.retry'",
      "dropped",
      "refused",
    ],
    [
      "UPDATE bodies SET bytes = CAST('retry forged' AS BLOB) WHERE content_sha256 = " +
      "(SELECT content_sha256 FROM revisions WHERE item_id = 'ops.retry')",
      "dropped",
      "refused",
    ],
    [
      `UPDATE revisions SET facts = json_set(facts, '$.title', 'Forged retry') ` +
      "WHERE item_id = 'ops.retry'",
      "dropped",
      ["ops.cache", "ops.retry"],
    ],
  ];
  for (const [sql, ranked, scanned] of rows) {
    for (const [expected, indexed] of [[ranked, true], [scanned, false]] as const) {
      await inIndexed(async (project, caller) => {
        if (!indexed) Deno.removeSync(pointerPath(project));
        damage(stateFile(project), `PRAGMA foreign_keys = OFF; ${sql}`);
        const input = { projectId: "demo", query: "retry" };
        if (expected === "refused") {
          const text = refusalText(await call(caller, "knowledge.search", input));
          assert.match(text, /state database.*theurian migrate apply/, sql);
          assert.ok(!text.includes("odd") && !text.includes("forged") && !text.includes("SELECT"));
          return;
        }
        const { ids } = await ask(caller);
        assert.deepEqual(ids, expected === "dropped" ? ["ops.cache"] : expected, sql);
      });
    }
  }
});

Deno.test("searchKnowledge() refuses a state that cannot be opened, whatever it is", async () => {
  const acts: readonly ((path: string) => void | Promise<unknown>)[] = [
    (path) => Deno.writeTextFileSync(path, "garbage"),
    (path) => Deno.mkdirSync(path),
    (path) => new Deno.Command("mkfifo", { args: [path] }).output(),
    () => {},
  ];
  for (const act of acts) {
    await inIndexed(async (project, caller) => {
      const path = stateFile(project);
      Deno.removeSync(path);
      await act(path);
      for (const [tool, extra] of [["search", { query: "retry" }], ["status", {}]] as const) {
        const result = await call(caller, `knowledge.${tool}`, { projectId: "demo", ...extra });
        assert.match(refusalText(result), /theurian migrate apply/);
      }
    });
  }
});

Deno.test("searchKnowledge() serves nothing that this installation did not build", async () => {
  await inIndexed(async (project, caller) => {
    for (const text of [null, "{", JSON.stringify({ [project.root]: { state: [] } })]) {
      const path = `${project.dataDirectory}/built-here.json`;
      if (text === null) Deno.removeSync(path);
      else Deno.writeTextFileSync(path, text);
      const input = { projectId: "demo", query: "retry" };
      const refused = refusalText(await call(caller, "knowledge.search", input));
      assert.match(refused, /\.theurian\/state/);
      assert.ok(!refused.includes(project.root), refused);
    }
  });
});

Deno.test("searchKnowledge() refuses a project whose paths lead out of it, without naming where", async () => {
  await inIndexed(async (project, caller) => {
    const outside = Deno.makeTempDirSync({ prefix: "search-outside-" });
    try {
      Deno.removeSync(project.project.paths.state, { recursive: true });
      Deno.symlinkSync(outside, project.project.paths.state);
      for (
        const [tool, extra] of [["search", { query: "x" }], ["status", {}], ["get", {
          itemId: "a",
        }]] as const
      ) {
        const result = await call(caller, `knowledge.${tool}`, { projectId: "demo", ...extra });
        const text = refusalText(result);
        assert.ok(!text.includes(outside), text);
        assert.match(text, /\.theurian\/state/);
      }
    } finally {
      Deno.removeSync(outside, { recursive: true });
    }
  });
});

Deno.test("searchKnowledge() gives the same bytes twice, and a moved title is dropped until a build", async () => {
  await inIndexed(async (project, caller) => {
    const twice = await Promise.all([1, 2].map(() => ask(caller, "retry cache 認証 jitter")));
    assert.deepEqual(twice[0], twice[1]);
    project.migrate(
      ...revise(project, "dom.auth-ja", { title: "認証の方針", body: "認証は毎月。" }),
    );
    await project.applyWithoutPurge();
    assert.deepEqual((await ask(caller, "認証")).ids, []);
    await project.build();
    assert.deepEqual((await ask(caller, "毎月")).ids, ["dom.auth-ja"]);
  });
});

Deno.test("searchKnowledge() finds an approved draft by default only after the next build", async () => {
  await inIndexed(async (project, caller) => {
    project.migrate(...revise(project, "arch.queue", {
      title: "Queue draft",
      body: "Queue consumers retry with backoff.\n",
    }));
    await project.applyWithoutPurge();
    assert.deepEqual((await ask(caller, "backoff")).ids, []);
    await project.build({ includeUnapproved: true });
    assert.deepEqual((await ask(caller, "backoff")).ids, ["arch.queue"]);
  }, { includeUnapproved: true });
});
