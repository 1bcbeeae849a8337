/**
 * A disk that is full while the registry is written: the old registry stands, the command says so,
 * and the next try works.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setWritePointHook, type WriteStep } from "../../src/platform/files/_write_points.ts";
import { runForTest } from "../../src/cli/test_world.ts";
import { temporaryRepository } from "../support/temporary_repository.ts";

const STEPS: readonly WriteStep[] = ["create", "write", "write-rest", "flush", "rename"];

Deno.test("a full disk leaves the registry as it was, and nothing beside it", async () => {
  using repository = temporaryRepository();
  const { root: cwd, environment, dataDirectory } = repository;
  const run = (...args: string[]) => runForTest([...args, "--json"], { cwd, environment });
  await run("project", "register");
  const file = join(dataDirectory, "projects.json");
  const before = Deno.readTextFileSync(file);
  for (const failing of STEPS) {
    setWritePointHook((step, path) => {
      if (step !== failing || !path.startsWith(dataDirectory)) return;
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    try {
      const { exit, stdout, stderr } = await run("project", "unregister", "demo");
      assert.deepEqual([exit, stdout], [1, ""], failing);
      assert.match(JSON.parse(stderr).remedy, /disk space/);
    } finally {
      setWritePointHook(null);
    }
    assert.equal(Deno.readTextFileSync(file), before, failing);
    const names = [...Deno.readDirSync(dataDirectory)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["projects.json", "registry.lock"], failing);
  }
  assert.equal((await run("project", "unregister", "demo")).exit, 0);
  assert.equal(Deno.readTextFileSync(file), "{}\n");
});

Deno.test("a full disk during an export leaves nothing at the target and nothing beside it", async () => {
  using repository = temporaryRepository();
  const { root: cwd, environment, folder } = repository;
  const run = (...args: string[]) => runForTest([...args, "--json"], { cwd, environment });
  assert.equal((await run("migrate", "apply")).exit, 0);
  for (const failing of ["make-directory", "create", "write", "rename"] as const) {
    setWritePointHook((step, path) => {
      if (step !== failing || !/_okf-export|out$/.test(path)) return;
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    try {
      const { exit, stdout, stderr } = await run("okf", "export", "../out");
      assert.deepEqual([exit, stdout], [1, ""], failing);
      assert(!stderr.includes("_okf-export"), "the staging name is no reader's business");
    } finally {
      setWritePointHook(null);
    }
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assert.deepEqual(names, ["data", "demo"], failing);
  }
  assert.equal((await run("okf", "export", "../out")).exit, 0);
});
