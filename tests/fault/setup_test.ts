/**
 * A setup and an uninstall that are stopped at any step of writing: what a person has stays as it is, a
 * token is never lost, and the next run ends well (daemon-and-setup.md 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { type Machine, newMachine } from "../../src/setup/_testing/machine.ts";
import { runSetup, runUninstall } from "../../src/setup/mod.ts";

const APPLY = { dryRun: false, approveConflicts: false };
const OTHERS = { mcpServers: { other: { command: "x" } }, theme: "dark" };
const PROFILE = "# mine\nexport EDITOR=vi\n";

function prepared(): Machine {
  const machine = newMachine();
  Deno.mkdirSync(machine.dataDirectory, { mode: 0o700 });
  Deno.writeTextFileSync(join(machine.home, ".claude.json"), JSON.stringify(OTHERS));
  Deno.writeTextFileSync(join(machine.dataDirectory, "env"), PROFILE, { mode: 0o600 });
  return machine;
}

/** Fails the nth step of `work`; the path it was at, or `null` when there are fewer. */
async function failingAt(
  nth: number,
  code: "ENOSPC" | "EACCES",
  work: () => Promise<unknown>,
): Promise<string | null> {
  let count = 0;
  let met: string | null = null;
  setWritePointHook((step, path) => {
    // A full disk lets files be removed; a locked folder does not.
    if (step === "remove" && code === "ENOSPC" || ++count !== nth) return;
    met = path;
    throw Object.assign(new Error("stopped"), { code });
  });
  try {
    await work();
  } finally {
    setWritePointHook(null);
  }
  return met;
}

function assertKept({ home, dataDirectory }: Machine): void {
  const client = JSON.parse(Deno.readTextFileSync(join(home, ".claude.json")));
  assert.deepEqual([client.mcpServers.other, client.theme], [OTHERS.mcpServers.other, "dark"]);
  assert.ok(Deno.readTextFileSync(join(dataDirectory, "env")).startsWith(PROFILE));
}

function tokenOf({ dataDirectory }: Machine): string | null {
  try {
    return Deno.readTextFileSync(join(dataDirectory, "auth/mcp-token"));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

const odd = (machine: Machine) => machine.listing().filter((path) => /\.tmp|\.new|~$/.test(path));

Deno.test("a setup that meets a full disk at any step loses nothing, and the next one converges", async () => {
  let steps = 0;
  for (let met: string | null = ""; met !== null;) {
    await using machine = prepared();
    const world = await machine.world();
    let state = "";
    const work = async () => void (state = (await runSetup(world, APPLY)).state);
    met = await failingAt(steps + 1, "ENOSPC", work);
    // A line of the journal that is lost is no failure.
    const spared = [machine.dataDirectory, join(machine.dataDirectory, "setup-journal.jsonl")];
    const fails = met !== null && !spared.includes(met);
    if (fails) assert.ok(["halted", "degraded"].includes(state), `${met}: ${state}`);
    assertKept(machine);
    assert.deepEqual(odd(machine), [], `step ${steps + 1}`);
    const token = tokenOf(machine);
    assert.ok(token === null || /^[\w-]{43}$/.test(token));
    const again = await runSetup(world, APPLY);
    assert.equal(again.state, "converged", `step ${steps + 1}`);
    assert.ok(token === null || tokenOf(machine) === token, "a token is never replaced");
    assertKept(machine);
    steps += met === null ? 0 : 1;
  }
  assert.ok(steps >= 30, `only ${steps} steps`);
});

Deno.test("an uninstall that may not write at any step loses nothing, and the next one ends", async () => {
  let steps = 0;
  for (let met: string | null = ""; met !== null;) {
    await using machine = prepared();
    const world = await machine.world();
    await runSetup(world, APPLY);
    const token = tokenOf(machine);
    met = await failingAt(steps + 1, "EACCES", () => runUninstall(world, false));
    assertKept(machine);
    assert.equal(tokenOf(machine), token);
    await runUninstall(world, false);
    assert.deepEqual((await runUninstall(world, false)).removed, []);
    assertKept(machine);
    steps += met === null ? 0 : 1;
  }
  assert.ok(steps >= 1);
});
