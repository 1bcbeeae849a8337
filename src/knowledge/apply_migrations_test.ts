import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { withWriteLock } from "../projects/mod.ts";
import {
  KnowledgeProject,
  migrationId,
  revisionId,
} from "../../tests/support/knowledge_project.ts";
import { applyMigrations } from "./apply_migrations.ts";
import { openForWriting } from "../platform/sqlite/mod.ts";
import { readActivePointer } from "./active_pointer.ts";
import { migrationStatus } from "./migration_status.ts";
import { openActiveState } from "./open_state.ts";
import { stateFilename } from "./state_files.ts";
import { validateMigrations } from "./validate_migrations.ts";
import { readCandidates, type Withdrawal } from "./withdrawal.ts";
import { nothingPurged } from "./withdrawal.ts";

const EMPTY = "d9a6a7bd8afcfe74d9a0b3236b671a809b28602494f8b094092279e89cbd1049";

const refused = (fault: string, exit = 4) => (error: unknown) => {
  assert.ok(isFault(error), String(error));
  assert.equal(error.fault, fault, error.message);
  assert.equal(error.exit, exit);
  assert.ok(error.remedy.length > 0);
  return true;
};

Deno.test("apply of the empty set builds a state and changes nothing", async () => {
  using at = new KnowledgeProject();
  const report = await at.apply();
  assert.equal(report.stateHash, EMPTY);
  assert.equal(report.databaseCreated, true);
  assert.equal(report.changed, false);
  assert.equal(report.indexPurge.reason, "no-withdrawal");
  assert.deepEqual(at.stateFiles(), ["active.json", `theurian-state-${EMPTY.slice(0, 12)}.sqlite`]);
  assert.deepEqual(await at.apply(), { ...report, databaseCreated: false });
});

Deno.test("apply of a missing migrations directory is the empty set", async () => {
  using at = new KnowledgeProject();
  at.remove(".theurian/migrations");
  assert.equal((await at.apply()).stateHash, EMPTY);
});

Deno.test("a second apply does nothing and says what it skipped", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const first = await at.apply();
  assert.deepEqual(first.applied, [migrationId(1)]);
  assert.equal(first.operationsApplied, 1);
  const file = at.path(`.theurian/state/${stateFilename(first.stateHash)}`);
  const bytes = Deno.readFileSync(file);
  const pointer = at.read(".theurian/state/active.json");
  at.now += 1000;
  const second = await at.apply();
  assert.deepEqual(second.applied, []);
  assert.deepEqual(second.skipped, [migrationId(1)]);
  assert.equal(second.changed, false);
  assert.deepEqual(second.permissiveMoves, []);
  assert.deepEqual(Deno.readFileSync(file), bytes);
  assert.equal(at.read(".theurian/state/active.json"), pointer);
});

Deno.test("a renamed migration file changes neither the hash nor the history", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  const { stateHash } = await at.apply();
  Deno.renameSync(at.path(path), at.path(".theurian/migrations/-other name.yaml"));
  const report = await at.apply();
  assert.equal(report.stateHash, stateHash);
  assert.deepEqual(report.applied, []);
});

Deno.test("an applied migration with one more newline is refused everywhere, and named", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  Deno.writeTextFileSync(at.path(path), "\n", { append: true });
  await assert.rejects(at.apply(), refused("checksum-mismatch"));
  assert.throws(
    () => validateMigrations(at.project, at.dataDirectory),
    refused("checksum-mismatch"),
  );
  const status = migrationStatus(at.project, at.dataDirectory);
  assert.equal(status.faults?.length, 1);
  assert.equal(status.faults?.[0]?.path, path);
  assert.equal(status.stateBuilt, false);
});

Deno.test("a migration of another branch is no error, and switching back finds its state", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const path = at.migration(2, [at.upsert("b", 2)]);
  const both = await at.apply();
  const text = at.read(path);
  at.remove(path);
  const status = migrationStatus(at.project, at.dataDirectory);
  assert.deepEqual(status.missingIds, [migrationId(2)]);
  assert.equal(status.stateBuilt, false);
  assert.equal("faults" in status, false);
  const one = await at.apply();
  assert.deepEqual(one.applied, [migrationId(1)]);
  at.write(path, text);
  const back = await at.apply();
  assert.equal(back.stateHash, both.stateHash);
  assert.equal(back.databaseCreated, false);
  assert.equal(readActivePointer(at.project.paths)?.stateHash, both.stateHash);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.deepEqual([...reader.allItems()].map((item) => item.itemId), ["a", "b"]);
});

Deno.test("a body edited under its pin is refused, and status names the migration", async () => {
  using at = new KnowledgeProject();
  const path = at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  at.write(".theurian/knowledge/a-1.md", "other");
  await assert.rejects(at.apply(), refused("migration-invalid"));
  const { faults, stateHash, total } = migrationStatus(at.project, at.dataDirectory);
  assert.deepEqual(faults?.map((fault) => [fault.path, fault.location]), [
    [path, "operations/0/contentFile"],
  ]);
  assert.deepEqual([stateHash, total], [null, null]);
});

Deno.test("a refused replay leaves the served state and no file", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const { stateHash } = await at.apply();
  const before = at.stateFiles();
  at.migration(2, [{ op: "changeOwner", itemId: "nobody", owner: "x" }]);
  await assert.rejects(at.apply(), refused("migration-refused"));
  assert.deepEqual(at.stateFiles(), before);
  assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.equal(reader.stateHash, stateHash);
});

Deno.test("a new migration is applied on the state that was built before", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  at.migration(2, [at.upsert("b", 2)]);
  await at.apply();
  at.migration(3, [
    at.upsert("a", 3, {}, { expectedRevision: revisionId(1) }),
    { op: "deprecateItem", itemId: "b", supersededBy: "a", reason: "merged" },
  ]);
  const report = await at.apply();
  assert.deepEqual(report.applied, [migrationId(3)]);
  assert.deepEqual(report.skipped, [migrationId(1), migrationId(2)]);
  assert.equal(report.operationsApplied, 2);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.deepEqual(reader.revisionIdsOf("a"), [revisionId(1), revisionId(3)]);
  assert.equal(reader.currentRevision(reader.item("a")!)?.body, "body 3 of a\n");
  assert.equal(reader.relations()[0]?.note, "merged");
  assert.deepEqual(reader.integrityCounts(), { surfaceable: 1, expected: 1, migrations: 3 });
});

Deno.test("a no-op apply over a damaged state does not repair its record of itself", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1), at.upsert("b", 2)]);
  const { stateHash } = await at.apply();
  damage(at, stateHash, "DELETE FROM items WHERE item_id = 'b'");
  const report = await at.apply();
  assert.equal(report.changed, false);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.deepEqual(reader.integrityCounts(), { surfaceable: 1, expected: 2, migrations: 1 });
});

Deno.test("a damaged state is not carried over", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1), at.upsert("b", 2)]);
  const { stateHash } = await at.apply();
  damage(at, stateHash, "DELETE FROM items WHERE item_id = 'b'");
  at.migration(2, [at.upsert("c", 3)]);
  const report = await at.apply();
  assert.deepEqual(report.applied, [migrationId(1), migrationId(2)]);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.deepEqual(reader.integrityCounts(), { surfaceable: 3, expected: 3, migrations: 2 });
});

Deno.test("a state that lost a row of its history is built again", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const { stateHash } = await at.apply();
  damage(at, stateHash, "DELETE FROM history");
  assert.deepEqual(migrationStatus(at.project, at.dataDirectory).pendingIds, [migrationId(1)]);
  const report = await at.apply();
  assert.deepEqual([report.databaseCreated, report.changed], [true, true]);
  assert.equal(migrationStatus(at.project, at.dataDirectory).pending, 0);
});

Deno.test("apply corrects a pointer that counts too many migrations", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  const pointer = JSON.parse(at.read(".theurian/state/active.json"));
  at.write(".theurian/state/active.json", JSON.stringify({ ...pointer, migrationCount: 7 }));
  await at.apply();
  assert.equal(readActivePointer(at.project.paths)?.migrationCount, 1);
});

Deno.test("apply waits for the write lock and then refuses; status does not wait", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  at.migration(2, [at.upsert("b", 2)]);
  await withWriteLock(at.project.paths, async () => {
    const started = performance.now();
    await assert.rejects(at.apply({ lockWaitMs: 200 }), refused("lock-timeout"));
    assert.ok(performance.now() - started >= 200);
    assert.equal(migrationStatus(at.project, at.dataDirectory).pending, 2);
  });
  assert.deepEqual((await at.apply()).applied, [migrationId(2)]);
});

Deno.test("two applies at once end in one build and one no-op", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const reports = await Promise.all([at.apply(), at.apply()]);
  assert.deepEqual(reports.map((report) => report.databaseCreated).sort(), [false, true]);
  assert.equal(migrationStatus(at.project, at.dataDirectory).pending, 0);
});

Deno.test("the purge is handed the final state of what was touched, after the lock is free", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1), at.upsert("b", 2), at.upsert("c", 3)]);
  await at.apply();
  at.migration(2, [
    { op: "deprecateItem", itemId: "a" },
    { op: "deprecateItem", itemId: "b" },
    { op: "restoreItem", itemId: "b" },
    { op: "changeSensitivity", itemId: "c", sensitivity: "restricted", reason: "r" },
    { op: "changeOwner", itemId: "c", owner: "x" },
  ]);
  let seen: Withdrawal | null = null;
  const report = await at.apply({
    purge: async (withdrawal) => {
      seen = withdrawal;
      await withWriteLock(at.project.paths, () => {}, { waitMs: 0 });
      using reader = withdrawal.openState();
      assert.deepEqual(
        readCandidates(reader, withdrawal.itemIds).map(({ itemId, status, sensitivity }) => [
          itemId,
          status,
          sensitivity,
        ]),
        [["a", "deprecated", "internal"], ["b", "approved", "internal"], [
          "c",
          "approved",
          "restricted",
        ]],
      );
      return { ...nothingPurged("purge-failed: x"), failed: true, remedy: "r" };
    },
  });
  assert.ok(seen !== null);
  assert.equal(report.indexPurge.failed, true);
  assert.equal(report.changed, true);
});

Deno.test("switching to a finished state hands over what the state served before did not hold", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  const path = at.migration(2, [{ op: "deprecateItem", itemId: "a" }]);
  await at.apply();
  const text = at.read(path);
  at.remove(path);
  await at.apply();
  at.write(path, text);
  const touched: string[] = [];
  const report = await at.apply({
    purge: (withdrawal) => {
      touched.push(...withdrawal.itemIds);
      return nothingPurged("nothing-to-purge");
    },
  });
  assert.equal(report.changed, false);
  assert.deepEqual(touched, ["a"]);
});

Deno.test("a project under another id gets its state built for that id", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  await at.apply();
  const renamed = { ...at.project, projectId: "other" };
  using before = openActiveState(renamed, at.dataDirectory).reader;
  assert.deepEqual([before.projectId, before.builtFor], ["other", "ledger"]);
  assert.equal((await applyMigrations(renamed, at.options())).databaseCreated, true);
  using after = openActiveState(renamed, at.dataDirectory).reader;
  assert.equal(after.builtFor, "other");
});

Deno.test("the first refusal of a conflict names what was expected and what is there", async () => {
  using at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  at.migration(2, [at.upsert("a", 2, {}, { expectedRevision: revisionId(9) })]);
  await assert.rejects(at.apply(), (error) => {
    refused("revision-conflict")(error);
    assert.ok(isFault(error));
    assert.ok(error.message.includes(revisionId(9)) && error.message.includes(revisionId(1)));
    assert.equal(error.wireCode, "REVISION_CONFLICT");
    return true;
  });
  assert.deepEqual(at.stateFiles(), []);
});

function damage(at: KnowledgeProject, stateHash: string, sql: string): void {
  const path = at.path(`.theurian/state/${stateFilename(stateHash)}`);
  using connection = openForWriting(path, { create: false, journal: "delete" });
  connection.exec(sql);
}
