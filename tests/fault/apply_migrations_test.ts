/**
 * An apply that fails or is killed at any step of its writing leaves the state that was served, and
 * the next apply succeeds (corpus-and-migrations.md 15.3).
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import {
  migrationStatus,
  openActiveState,
  readActivePointer,
  stateFilename,
} from "../../src/knowledge/mod.ts";
import { isFault } from "../../src/platform/errors.ts";
import { sha256Hex } from "../../src/platform/hash.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { KnowledgeProject, revisionId } from "../support/knowledge_project.ts";

/** A project that serves one state and has a migration to apply. */
async function pending(): Promise<{ at: KnowledgeProject; served: string }> {
  const at = new KnowledgeProject();
  at.migration(1, [at.upsert("a", 1)]);
  const { stateHash } = await at.apply();
  at.migration(2, [at.upsert("a", 2, {}, { expectedRevision: revisionId(1) })]);
  return { at, served: stateHash };
}

/** The state that is served now, read to its last body. */
function servedHash(at: KnowledgeProject): string {
  using reader = openActiveState(at.project, at.dataDirectory).reader;
  for (const item of reader.allItems()) assert.ok(reader.currentRevision(item) !== null);
  return reader.stateHash;
}

function assertNoLeftovers(at: KnowledgeProject): void {
  const odd = at.stateFiles().filter((name) =>
    name !== "active.json" && !/^theurian-state-[0-9a-f]{12}\.sqlite$/.test(name)
  );
  assert.deepEqual(odd, []);
}

Deno.test("an apply that meets a full disk at any step leaves the served state and no leftovers", async () => {
  let steps = 0;
  for (let failing = 1; failing <= 200; failing++) {
    const { at, served } = await pending();
    using _ = at;
    let count = 0;
    let met = false;
    setWritePointHook((step) => {
      if (step === "remove" || ++count !== failing) return;
      met = true;
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    try {
      await at.apply();
    } catch (error) {
      assert.ok(isFault(error), String(error));
      assert.ok(met);
    } finally {
      setWritePointHook(null);
    }
    const published = readActivePointer(at.project.paths)?.stateHash !== served;
    assert.equal(servedHash(at) !== served, published, `step ${failing}`);
    if (!published) {
      assertNoLeftovers(at);
      assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false, `${failing}`);
    }
    assert.equal((await at.apply()).stateHash === served, false);
    assert.equal(migrationStatus(at.project, at.dataDirectory).pending, 0);
    assertNoLeftovers(at);
    if (!met) break;
    steps++;
  }
  assert.ok(steps >= 8, `only ${steps} steps`);
});

const CHILD = fileURLToPath(new URL("../support/apply_until_killed.ts", import.meta.url));

Deno.test("an apply that is killed at any step leaves the served state, and the next one ends it", async () => {
  let killed = 0;
  for (let step = 1; step <= 200; step++) {
    const { at, served } = await pending();
    using _ = at;
    const { code, stderr } = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "-A", CHILD, at.root, at.dataDirectory, String(step)],
    }).outputSync();
    assert.ok(code === 0 || code === 9, new TextDecoder().decode(stderr));
    const before = servedHash(at);
    const report = await at.apply();
    assert.notEqual(report.stateHash, served);
    assert.ok(before === served || before === report.stateHash, `step ${step}`);
    assert.equal(servedHash(at), report.stateHash);
    assertNoLeftovers(at);
    assert.ok(at.stateFiles().includes(stateFilename(served)));
    if (code === 0) break;
    killed++;
  }
  assert.ok(killed >= 8, `only ${killed} steps`);
});

/** Runs `mount` or `umount`; true when it was allowed. */
function mounted(command: string, ...args: readonly string[]): boolean {
  try {
    return new Deno.Command(command, { args: [...args], stderr: "null" }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "an apply on a disk that is really full leaves the served state",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  fn: async (t) => {
    const { at, served } = await pending();
    using _ = at;
    const state = at.path(".theurian/state");
    const kept = at.stateFiles().map((name) =>
      [name, Deno.readFileSync(`${state}/${name}`)] as const
    );
    if (!mounted("mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", state)) {
      await t.step("did not run: nothing can be mounted here", () => {});
      return;
    }
    try {
      for (const [name, bytes] of kept) Deno.writeFileSync(`${state}/${name}`, bytes);
      const big = "x".repeat(300_000);
      at.write(".theurian/knowledge/big.md", big);
      at.migration(3, [{
        ...at.upsert("big", 3),
        contentFile: "../knowledge/big.md",
        contentSha256: sha256Hex(big),
      }]);
      await assert.rejects(at.apply(), (error) => isFault(error) && error.exit === 4);
      assert.equal(servedHash(at), served);
      assertNoLeftovers(at);
      assert.equal(migrationStatus(at.project, at.dataDirectory).stateBuilt, false);
    } finally {
      mounted("umount", state);
    }
  },
});
