import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { projectPaths } from "../projects/mod.ts";
import {
  type GoldenColumns,
  type GoldenSet,
  readGoldenSets,
  writeGoldenSet,
} from "../../tests/support/golden_sets.ts";
import { applyMigrations, type ApplyOptions, type ApplyReport } from "./apply_migrations.ts";
import type { SourceAnchor } from "./model.ts";
import { openActiveState } from "./open_state.ts";
import type { StateReader } from "./state_reader.ts";
import { validateMigrations } from "./validate_migrations.ts";
import { nothingPurged } from "./withdrawal.ts";

const { columns, anchorColumns, sets } = await readGoldenSets();

const exitOf = (error: unknown): number => {
  if (isFault(error)) return error.exit;
  throw error;
};

type Row = readonly unknown[];
const pick = (names: readonly string[], value: object): Row =>
  names.map((name) => (value as Record<string, unknown>)[name]);

/** Rows of a state in the form of the fixture. */
function rowsOf(reader: StateReader, columns: GoldenColumns): Record<string, readonly Row[]> {
  const anchors = (list: readonly SourceAnchor[]) => list.map((one) => pick(anchorColumns, one));
  const items = [...reader.allItems()];
  const revisions = items.flatMap(({ itemId }) => reader.revisionIdsOf(itemId)).sort()
    .map((id) => reader.revision(id)!);
  return {
    items: items.map((item) => pick(columns.items!, item)),
    revisions: revisions.map((revision) =>
      pick(columns.revisions!, { ...revision, anchors: anchors(revision.sourceAnchors) })
    ),
    aliases: reader.aliases().map((alias) => pick(columns.aliases!, alias)),
    relations: reader.relations().map((relation) => pick(columns.relations!, relation)),
    evidence: reader.evidence().map((one) => pick(columns.evidence!, { ...one.anchor, ...one })),
    specifications: reader.specifications().map((one) => pick(columns.specifications!, one)),
  };
}

async function answers(set: GoldenSet): Promise<void> {
  const parent = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "knowledge-golden-" }));
  try {
    const dataDirectory = join(parent, "data");
    const root = writeGoldenSet(parent, set);
    const project = { projectId: "golden", root, paths: projectPaths(root) };
    const { expect } = set;
    const options: ApplyOptions = {
      dataDirectory,
      clock: { now: () => 0 },
      seal: () => "seal",
      allowUncommitted: true,
      purge: () => nothingPurged("no-published-index"),
    };
    let validated = 0;
    let moves: readonly object[] = [];
    try {
      const { document } = validateMigrations(project, dataDirectory);
      moves = document.permissiveMoves;
    } catch (error) {
      validated = exitOf(error);
    }
    assert.equal(validated, expect.validate, "exit code of validate");
    let report: ApplyReport;
    try {
      report = await applyMigrations(project, options);
    } catch (error) {
      assert.equal(exitOf(error), expect.apply, "exit code of apply");
      const left = [...Deno.readDirSync(project.paths.theurian)].filter((e) => e.name === "state")
        .flatMap(() => [...Deno.readDirSync(project.paths.state)]);
      assert.deepEqual(left, [], "a refused apply leaves nothing");
      return;
    }
    assert.equal(0, expect.apply, "exit code of apply");
    assert.equal(report.stateHash, expect.stateHash);
    assert.deepEqual(report.applied, expect.order);
    assert.equal(report.operationsApplied, expect.operations);
    const shown = (rows: readonly object[]) =>
      rows.map((row) => pick(columns.permissiveMoves!, row));
    assert.deepEqual(shown(report.permissiveMoves), expect.permissiveMoves);
    assert.deepEqual(shown(moves), expect.permissiveMoves);
    using reader = openActiveState(project, dataDirectory).reader;
    assert.deepEqual(reader.integrityCounts(), {
      surfaceable: expect.surfaceable,
      expected: expect.surfaceable,
      migrations: expect.order!.length,
    });
    for (const [table, rows] of Object.entries(rowsOf(reader, columns))) {
      assert.deepEqual(rows, expect[table as keyof typeof expect], table);
    }
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
}

Deno.test("the golden sets are all here", () => assert.equal(sets.length, 356));

for (const set of sets) {
  Deno.test({
    name: `golden set ${set.name} gives the recorded answers`,
    ignore: Deno.build.os === "windows" && (set.needs ?? []).length > 0,
    fn: () => answers(set),
  });
}
