import assert from "node:assert/strict";
import { join } from "node:path";
import { newMachine } from "./_testing/machine.ts";
import { runSetup } from "./run_setup.ts";
import { runUninstall } from "./uninstall.ts";

const APPLY = { dryRun: false, approveConflicts: false };

Deno.test("uninstall on a bare machine lists nothing as removed", async () => {
  await using machine = newMachine();
  for (const dryRun of [true, false]) {
    const report = await runUninstall(await machine.world(), dryRun);
    assert.deepEqual([report.removed, report.warnings], [[], []]);
    assert.deepEqual([report.dryRun, report.serviceOnly], [dryRun, true]);
    assert.equal(report.kept[0], machine.dataDirectory);
  }
  assert.deepEqual(machine.listing(), []);
});

Deno.test("uninstall removes service and entry once, and keeps token, registry and others", async () => {
  await using machine = newMachine();
  const client = join(machine.home, ".claude.json");
  const others = { mcpServers: { other: { command: "x" } }, theme: "dark" };
  Deno.writeTextFileSync(client, JSON.stringify(others));
  const world = await machine.world();
  await runSetup(world, APPLY);
  Deno.writeTextFileSync(join(machine.dataDirectory, "projects.json"), "{}");
  const before = machine.listing();
  const planned = await runUninstall(world, true);
  assert.equal(planned.removed.length, 2);
  assert.deepEqual(machine.listing(), before);
  const done = await runUninstall(world, false);
  assert.deepEqual([done.removed, done.warnings], [planned.removed, []]);
  assert.deepEqual(JSON.parse(Deno.readTextFileSync(client)), others);
  const after = machine.listing();
  assert.deepEqual(before.filter((path) => !after.includes(path)), [
    ".config",
    ".config/systemd",
    ".config/systemd/user",
    ".config/systemd/user/theurian.service",
  ]);
  assert.deepEqual((await runUninstall(world, false)).removed, []);
  const log = Deno.readTextFileSync(join(machine.state, "systemctl.log"));
  assert.match(log, /--user disable --now theurian\.service\n[^]*--user daemon-reload/);
});

Deno.test("uninstall leaves a directory of other units alone", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  await runSetup(world, APPLY);
  const other = join(machine.home, ".config/systemd/user/other.service");
  Deno.writeTextFileSync(other, "[Unit]\n");
  const { warnings } = await runUninstall(world, false);
  assert.deepEqual(warnings, []);
  assert.deepEqual([...Deno.readDirSync(join(other, ".."))].map(({ name }) => name), [
    "other.service",
  ]);
});

Deno.test("uninstall warns when the client cannot or does not remove its entry", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  await runSetup(world, APPLY);
  machine.tell("claude-lies");
  const lying = await runUninstall(world, false);
  assert.match(lying.warnings[0]!, /left it in place/);
  machine.tell("claude-fails");
  assert.match((await runUninstall(world, false)).warnings[0]!, /code 1: not logged in/);
  const client = join(machine.home, ".claude.json");
  Deno.writeTextFileSync(client, "{bad");
  assert.equal((await runUninstall(world, false)).warnings.length, 1);
  assert.equal(Deno.readTextFileSync(client), "{bad");
});
