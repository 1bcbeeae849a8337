import assert from "node:assert/strict";
import { builtHere } from "../projects/mod.ts";
import { KnowledgeProject, migrationId } from "../../tests/support/knowledge_project.ts";
import { migrationStatus } from "./migration_status.ts";
import { openActiveState } from "./open_state.ts";
import { stateFilename } from "./state_files.ts";
import {
  builtStates,
  isMigrationRecorded,
  prunableStates,
  pruneStates,
  STATES_KEPT,
} from "./state_inventory.ts";

/** Applies one more migration `count` times; gives the hashes, oldest first. */
async function grow(at: KnowledgeProject, count: number, from = 1): Promise<string[]> {
  const hashes: string[] = [];
  for (let n = from; n < from + count; n++) {
    at.migration(n, [at.upsert(`i${n}`, n)]);
    const { stateHash } = await at.apply();
    const file = at.path(`.theurian/state/${stateFilename(stateHash)}`);
    Deno.utimeSync(file, n, n); // Distinct ages, whatever the file system's clock.
    hashes.push(stateHash);
  }
  return hashes;
}

Deno.test("the last five states are kept, the active one included, and the rest is forgotten", async () => {
  using at = new KnowledgeProject();
  const hashes = await grow(at, 8);
  const kept = hashes.slice(-STATES_KEPT);
  assert.deepEqual(
    at.stateFiles().filter((name) => name !== "active.json"),
    kept.map(stateFilename).sort(),
  );
  assert.deepEqual(builtHere(at.dataDirectory, at.root, "state"), kept);
  assert.equal(builtHere(at.dataDirectory, at.root, "seal").length, STATES_KEPT + 1); // and the cache
  assert.deepEqual(prunableStates(at.project, at.dataDirectory), []);
});

Deno.test("the active state is kept although it is the oldest", async () => {
  using at = new KnowledgeProject();
  const [first] = await grow(at, 5);
  const texts = [2, 3, 4, 5].map((n) => {
    const path = `.theurian/migrations/${migrationId(n)}-m.yaml`;
    const text = at.read(path);
    at.remove(path);
    return [path, text] as const;
  });
  assert.equal(migrationStatus(at.project, at.dataDirectory).missingIds?.length, 4);
  assert.equal((await at.apply()).stateHash, first);
  at.migration(6, [at.upsert("i6", 6)]);
  const branch = await at.apply();
  assert.deepEqual(branch.applied, [migrationId(6)]);
  assert.equal(builtStates(at.project, at.dataDirectory).length, STATES_KEPT);
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  assert.equal(reader.stateHash, branch.stateHash);
  for (const [path, text] of texts) at.write(path, text);
});

Deno.test("pruneStates() removes at most what it is told, oldest first, and no foreign file", async () => {
  using at = new KnowledgeProject();
  const hashes = await grow(at, 5);
  // As if three older ones had been left by a publish that could not remove them.
  at.write(".theurian/state/theurian-state-aaaaaaaaaaaa.sqlite", "of another implementation");
  at.remove(".theurian/state/active.json");
  assert.deepEqual(prunableStates(at.project, at.dataDirectory), []);
  await grow(at, 1, 6);
  assert.ok(at.stateFiles().includes("theurian-state-aaaaaaaaaaaa.sqlite"));
  assert.equal(at.stateFiles().includes(stateFilename(hashes[0]!)), false);
  assert.deepEqual(await pruneStates(at.project, at.dataDirectory), []);
});

Deno.test("isMigrationRecorded() looks into the states that were built here", async () => {
  using at = new KnowledgeProject();
  await grow(at, 2);
  assert.equal(isMigrationRecorded(at.project, at.dataDirectory, migrationId(2)), true);
  assert.equal(isMigrationRecorded(at.project, at.dataDirectory, migrationId(3)), false);
  Deno.removeSync(at.dataDirectory, { recursive: true });
  assert.equal(isMigrationRecorded(at.project, at.dataDirectory, migrationId(2)), false);
});
