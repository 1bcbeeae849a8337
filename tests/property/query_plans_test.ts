/**
 * What a call asks of SQLite is found by a key or an index: no call walks through a table that grows
 * with the corpus. What is computed once for a published file is no part of a call: each kind of call
 * is made once before it is watched.
 */

import assert from "node:assert/strict";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { keepConnections } from "../../src/platform/sqlite/mod.ts";
import { addDemo } from "../support/demo_corpus.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";
import { call, type Caller, payloadOf, register } from "../support/tool_calls.ts";

/** Walks that are meant, and why. */
const MEANT: Readonly<Record<string, RegExp>> = {
  // One row by its making.
  "knowledge.search": /^SCAN meta$/,
  "knowledge.get": /^SCAN meta$/,
  // Counts what there is of each status, from the index over statuses alone.
  "knowledge.status": /^SCAN (meta|items USING COVERING INDEX items_by_status)$/,
  // Compares the query with every vector, when a caller asks for that.
  "with vectors": /^SCAN (meta|vectors)$/,
};

/** Runs `work` and answers the statements that were executed meanwhile. */
async function statementsOf(work: () => Promise<void>): Promise<string[]> {
  const executed = new Set<string>();
  const methods = ["all", "get", "iterate", "run"] as const;
  // deno-lint-ignore no-explicit-any
  const prototype = StatementSync.prototype as any;
  const originals = methods.map((name) => prototype[name]);
  for (const [i, name] of methods.entries()) {
    prototype[name] = function (this: StatementSync, ...values: unknown[]) {
      executed.add(this.sourceSQL);
      return originals[i].apply(this, values);
    };
  }
  try {
    await work();
  } finally {
    for (const [i, name] of methods.entries()) prototype[name] = originals[i];
  }
  return [...executed].filter((sql) => /^\s*SELECT/i.test(sql));
}

/** The steps of a statement that walk through a whole table, in whichever file has its tables. */
function walksOf(files: readonly DatabaseSync[], sql: string): string[] {
  for (const file of files) {
    let steps: { detail: string }[];
    try {
      steps = file.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
    } catch {
      continue; // The tables are in the other file.
    }
    return steps.map(({ detail }) => detail)
      .filter((detail) => detail.startsWith("SCAN ") && detail !== "SCAN CONSTANT ROW");
  }
  throw new Error(`No file has the tables of: ${sql}`);
}

type Ask = (words: string) => Promise<unknown>;

function calls(caller: Caller): Readonly<Record<keyof typeof MEANT, readonly Ask[]>> {
  const projectId = "demo";
  const search = (input: Record<string, string | number | boolean>): Ask => async (query) =>
    payloadOf(await call(caller, "knowledge.search", { projectId, query, ...input }));
  const get = (itemId: string, includeUnapproved: boolean): Ask => async () =>
    payloadOf(await call(caller, "knowledge.get", { projectId, itemId, includeUnapproved }));
  return {
    "knowledge.search": [
      search({}),
      search({ limit: 50, maxTokens: 32_000 }),
      search({ includeUnapproved: true }),
      search({ asOf: "2026-02-28T15:00:00Z" }),
    ],
    "with vectors": [search({ useDense: true })],
    "knowledge.get": [get("ops.retry", false), get("ops.retries", false), get("ops.cache", true)],
    "knowledge.status": [
      async () => payloadOf(await call(caller, "knowledge.status", { projectId })),
    ],
  };
}

const FIRST_WORDS = ["retry", "cache miss", '"retry budget"', "attemts", "認証", "outbou"];
/** Found in documents that the words before do not touch. */
const OTHER_WORDS = ["lantern harbour", "lantern", '"old lantern"', "lanterm", "灯台", "harbo"];
const OTHERS = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`more.item-${n}`, {
    title: `Lantern ${n}`,
    body: `# Lantern ${n}\n\nThe old lantern of harbour ${n}, 灯台の管理。\n`,
    status: n % 4 === 0 ? "draft" : "approved",
  }]),
);

function publishedFiles(project: ScratchProject): DatabaseSync[] {
  return project.stateFiles().filter((name) => name.endsWith(".sqlite"))
    .map((name) => new DatabaseSync(project.state(name), { readOnly: true }));
}

Deno.test("no call walks through a table that grows with the corpus", async () => {
  await inScratchProject(async (project) => {
    project.now = Date.UTC(2026, 1, 1);
    addDemo(project);
    project.add(OTHERS);
    await project.apply();
    await project.build({ raptor: true, includeUnapproved: true });
    const files = publishedFiles(project);
    keepConnections(60_000);
    try {
      assert.deepEqual(walksOf(files, "SELECT 1 FROM chunks WHERE text = ''"), ["SCAN chunks"]);
      assert.deepEqual(walksOf(files, "SELECT 1 FROM bodies WHERE bytes = x''"), ["SCAN bodies"]);
      const kinds = Object.entries(calls(register(project)));
      for (const [, asks] of kinds) {
        for (const ask of asks) for (const words of FIRST_WORDS) await ask(words);
      }
      for (const [kind, asks] of kinds) {
        const statements = await statementsOf(async () => {
          for (const ask of asks) for (const words of OTHER_WORDS) await ask(words);
        });
        assert.ok(statements.length > 0, kind);
        if (kind === "knowledge.search") {
          const reads = (table: string) => statements.some((sql) => sql.includes(`FROM ${table} `));
          assert.ok(["terms", "chunks", "documents", "items", "revisions"].every(reads));
        }
        for (const sql of statements) {
          const walks = walksOf(files, sql).filter((walk) => !MEANT[kind]!.test(walk));
          assert.deepEqual(walks, [], `${kind}: ${sql}`);
        }
      }
    } finally {
      keepConnections(0);
      for (const file of files) file.close();
    }
  });
});
