import assert from "node:assert/strict";
import type { JsonObject } from "../../src/platform/json.ts";
import {
  fixturePath,
  goldenRows,
  type TrailerRow,
  writeGoldenEvidence,
  writeHistory,
} from "../support/golden_review.ts";
import { inReviewFolder, ReviewProject } from "../support/review_project.ts";
import { asExpected } from "../support/tampered.ts";

interface QueryRow {
  readonly id: string;
  readonly tool: string;
  readonly store: "findings-a" | "findings-b" | "evidence" | "none";
  readonly arguments: Record<string, unknown> | null;
  readonly raw?: string;
  readonly expect: {
    readonly refused: boolean;
    readonly code?: string | null;
    readonly check?: string;
    readonly rule?: string;
    readonly mentions?: string;
    readonly count?: number;
    readonly truncated?: boolean;
    readonly ids?: readonly string[];
    readonly textLengths?: readonly number[];
    readonly excerpts?: readonly (readonly [string | null, number])[];
    readonly firstRow?: Record<string, unknown>;
  };
}

/** A word that a refusal of each rule must hold, besides the argument's name. */
const RULE_WORDS: Readonly<Record<string, RegExp>> = {
  range: /between 1 and 9223372036854775807/,
  nul: /U\+0000/,
  surrogate: /surrogate/,
  empty: /empty/,
  vocabulary: /one of/,
};

Deno.test("review.findings and review.search answer every golden query", () =>
  inReviewFolder(async (folder) => {
    const projects = await buildStores(folder);
    const rows = goldenRows<QueryRow>("queries.jsonl");
    assert.equal(rows.length, 174);
    for (const row of rows) {
      const project = projects[row.store];
      const fields = row.raw ?? JSON.stringify(row.arguments);
      const context = `"projectId": ${JSON.stringify(project.projectId)}`;
      const separator = fields === "{}" ? "" : ", ";
      const answer = await project.call(row.tool, `{${context}${separator}${fields.slice(1)}`);
      if (row.expect.refused) assertRefusal(row, answer);
      else assertAnswer(row, answer);
    }
  }));

async function buildStores(folder: string) {
  const a = new ReviewProject(folder, "findings-a");
  new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), a.root] }).outputSync();
  const b = new ReviewProject(folder, "findings-b");
  writeHistory(b.root, goldenRows<TrailerRow>("trailers.jsonl"));
  for (const project of [a, b]) {
    await project.prepare();
    await project.buildFindings();
  }
  const evidence = await new ReviewProject(folder, "evidence").prepare();
  writeGoldenEvidence(evidence.root);
  const built = await evidence.buildReview();
  assert.deepEqual([built.records, built.skippedRecords], [80, []]);
  return {
    "findings-a": a,
    "findings-b": b,
    evidence,
    none: new ReviewProject(folder, "none"),
  };
}

function assertRefusal({ id, expect }: QueryRow, answer: JsonObject): void {
  assert.equal(answer["isError"], true, id);
  assert.deepEqual(Object.keys(answer).sort(), ["_meta", "content", "isError"], id);
  const [{ text }] = answer["content"] as [{ text: string }];
  const meta = answer["_meta"] as Record<string, Record<string, unknown>>;
  const error = meta["dev.theurian/error"]!;
  assert.deepEqual(Object.keys(error).sort(), ["code", "details", "retryAfterSeconds"], id);
  assert.equal(error["code"], expect.code, `${id}: ${text}`);
  assert.ok(text.isWellFormed(), id);
  const [check, ...rest] = (expect.check ?? "").split(" ");
  const named = check === "schema" ? rest.at(-1)! : check!;
  if (named === "inert") assert.match(text, /pullRequest, family or specialist/, id);
  else if (named === "project") assert.match(text, /not registered/, id);
  else if (named !== "unavailable") assert.ok(text.includes(named), `${id}: ${text}`);
  if (expect.rule !== undefined) assert.match(text, RULE_WORDS[expect.rule]!, id);
  if (expect.mentions !== undefined) assert.ok(text.includes(expect.mentions), id);
}

function assertAnswer({ id, tool, expect }: QueryRow, answer: JsonObject): void {
  assert.equal(answer["isError"], false, `${id}: ${JSON.stringify(answer["content"])}`);
  const structured = answer["structuredContent"] as Record<string, unknown>;
  const key = tool === "review.findings" ? "findings" : "records";
  assert.deepEqual(Object.keys(structured).sort(), ["count", key, "truncated"].sort(), id);
  const rows = structured[key] as Record<string, unknown>[];
  assert.deepEqual(rows.map((row) => idOf(row)), expect.ids, id);
  assert.equal(structured["count"], expect.count, id);
  assert.equal(structured["truncated"], expect.truncated, id);
  if (expect.textLengths !== undefined) {
    assert.deepEqual(
      rows.map((row) => [...row["findingText"] as string].length),
      expect.textLengths,
    );
  }
  if (expect.excerpts !== undefined) {
    const excerpts = rows.map((row) => [
      row["excerptChannel"],
      [...row["excerpt"] as string].length,
    ]);
    assert.deepEqual(excerpts, expect.excerpts, id);
  }
  if (expect.firstRow !== undefined) {
    const first = Object.fromEntries(
      Object.entries(rows[0]!).map(([name, value]) => [name, asExpected(value)]),
    );
    assert.deepEqual(first, expect.firstRow, id);
    assert.deepEqual(Object.keys(rows[0]!), Object.keys(expect.firstRow), id);
  }
}

function idOf(row: Record<string, unknown>): string {
  return "findingText" in row
    ? `${row["commitSha"]}#${row["position"]}`
    : `${row["provider"]} ${row["repository"]} ${row["kind"]} ${row["recordKey"]}`;
}
