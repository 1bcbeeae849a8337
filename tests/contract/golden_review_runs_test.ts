import assert from "node:assert/strict";
import { goldenReviewPath, goldenRows } from "../support/golden_review.ts";
import { type Ingested, type IngestProject, inIngestProject } from "../support/ingest_project.ts";

interface RunRow {
  readonly id: string;
  readonly scenario: string;
  readonly argument: string;
  readonly allowlist: readonly string[];
  readonly redactParticipantNames?: boolean;
  readonly secretScan?: string;
  readonly limit?: number;
  readonly since?: number;
  readonly after?: readonly string[];
  readonly expect: {
    readonly exit: number;
    readonly refusal: string | null;
    readonly document?: Record<string, unknown>;
    readonly refused?: readonly (readonly [string, string | null])[];
    readonly findings?: readonly (readonly (string | null)[])[];
    readonly skipped?: readonly (readonly [string, string | null])[];
    readonly storeRecords?: number;
    readonly files: Readonly<Record<string, string>>;
  };
}

const DOCUMENT_KEYS = [
  "clean",
  "findings",
  "kept",
  "landed",
  "new",
  "participantNamesRedacted",
  "refused",
  "repository",
  "searchStore",
  "secretScanPolicy",
  "secretsWarned",
  "skipped",
  "skippedRemedies",
  "updated",
];

const rows = goldenRows<RunRow>("evidence/runs.jsonl");

Deno.test("the golden runs are all there", () => assert.equal(rows.length, 52));

for (const row of rows) {
  Deno.test(`review ingest gives the golden run ${row.id}`, () =>
    inIngestProject(row, async (project) => {
      for (const id of row.after ?? []) await ingest(project, rows.find((one) => one.id === id)!);
      project.configure(row);
      project.calls();
      const ran = await ingest(project, row);
      assert.equal(ran.exit, row.expect.exit, ran.stderr);
      if (row.expect.refusal === null) assertDocument(row, ran);
      else assertRefusal(row, ran);
      assert.deepEqual(project.digests(), row.expect.files);
      assertOneRun(project, row);
      const calls = project.calls();
      assert.deepEqual(calls.filter((call) => /^(LEAK|UNEXPECTED)/.test(call)), []);
    }));
}

async function ingest(project: IngestProject, row: RunRow): Promise<Ingested> {
  project.scenario(
    row.scenario.startsWith("edge-")
      ? goldenReviewPath(`evidence/scenarios/${row.scenario}`)
      : row.scenario,
  );
  const options: string[] = [];
  if (row.limit !== undefined) options.push("--limit", String(row.limit));
  if (row.since !== undefined) options.push("--since", String(row.since));
  return await project.ingest(row.argument, ...options);
}

function assertDocument({ expect }: RunRow, { document, error }: Ingested): void {
  assert.equal(error, null);
  assert.deepEqual(Object.keys(document).sort(), DOCUMENT_KEYS);
  for (const [key, value] of Object.entries(expect.document!)) {
    assert.deepEqual(document[key], value, key);
  }
  const lines = (key: string): string[] => document[key];
  assertLines(lines("refused"), expect.refused!);
  assertLines(lines("skipped"), expect.skipped!);
  assert.equal(lines("findings").length, expect.findings!.length);
  expect.findings!.forEach((finding, index) => {
    for (const part of finding.slice(1)) {
      if (part !== null) assert.ok(lines("findings")[index]!.includes(part), part);
    }
    assert.ok(lines("findings")[index]!.includes(`#${finding[0]}`));
  });
  const grades = new Set(expect.skipped!.map(([, grade]) => grade).filter((one) => one !== null));
  for (const grade of grades) assert.ok(document.skippedRemedies[grade].length > 20, grade);
  if (!expect.skipped!.some(([, grade]) => grade === null)) {
    assert.deepEqual(new Set(Object.keys(document.skippedRemedies)), grades);
  }
  assert.equal(document.searchStore.records, expect.storeRecords);
  assert.equal(document.searchStore.withheld, 0);
}

/** Each line names its pull request and, where there is one, the id or grade. */
function assertLines(lines: string[], expected: readonly (readonly [string, string | null])[]) {
  assert.equal(lines.length, expected.length, lines.join("\n"));
  expected.forEach(([number, word], index) => {
    assert.match(lines[index]!, new RegExp(`acme/widgets#${number}\\b`, "i"));
    if (word !== null) assert.ok(lines[index]!.includes(word), lines[index]);
  });
}

function assertRefusal({ expect }: RunRow, { stdout, error }: Ingested): void {
  assert.equal(stdout, "");
  assert.deepEqual(Object.keys(error!).sort(), ["error", "remedy"]);
  if (expect.refusal !== "landing") assert.ok(error!.error.includes(expect.refusal!), error!.error);
  else assert.match(error!.error, /\d+ records of this run were written/);
  assert.ok(error!.remedy.length > 20);
}

/** All files that one run wrote hold one ULID and one time. */
function assertOneRun(project: IngestProject, row: RunRow): void {
  if (row.after !== undefined) return;
  const runs = project.files().map((path) => {
    const { lastSeenRun } = JSON.parse(project.readFile(path));
    assert.match(lastSeenRun.runId, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    return JSON.stringify(lastSeenRun);
  });
  assert.ok(new Set(runs).size <= 1);
}
