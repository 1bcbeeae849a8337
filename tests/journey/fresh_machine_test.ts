/**
 * From an empty home to an answering daemon and back to an empty home, with the executable alone
 * (daemon-and-setup.md 7; decision 35).
 *
 * @module
 */

import assert from "node:assert/strict";
import { type FreshMachine, freshMachine, HAS_EXECUTABLE } from "../support/fresh_machine.ts";

if (!HAS_EXECUTABLE) console.log("Not run: the fresh machine, since there is no executable");

/** What stays behind: the data directory and what lies in it. */
function beyondData(machine: FreshMachine): string[] {
  return machine.listing().filter((path) => path !== ".theurian" && !path.startsWith(".theurian/"));
}

/** Answers of the daemon to one call with the token that a shell has after sourcing the env file. */
async function ask(machine: FreshMachine, url: string, header: string): Promise<Response> {
  const line = `PATH=/usr/bin:/bin; . "$HOME/.theurian/env"; printf '%s' "${header}"`;
  return await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: await machine.shell(line) },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "system.capabilities", arguments: {} },
    }),
  });
}

async function works(machine: FreshMachine, url: string, header: string): Promise<void> {
  const response = await ask(machine, url, header);
  assert.equal(response.status, 200);
  assert.equal((await response.json()).result.isError, false);
}

Deno.test({
  name: "an executable alone: setup, a daemon by hand, doctor, uninstall, nothing left",
  ignore: !HAS_EXECUTABLE,
  async fn() {
    await using machine = freshMachine({ manager: false, client: false });
    const { port } = machine;
    assert.equal((await machine.run("version")).out.name, "theurian");
    const planned = await machine.run(`setup --dry-run --port ${port}`);
    assert.deepEqual([planned.exit, planned.out.state, planned.err], [0, "plan-built", null]);
    assert.deepEqual(machine.listing(), []);
    const done = await machine.run(`setup --port ${port}`);
    assert.deepEqual([done.exit, done.out.state], [0, "degraded"]);
    const service = done.out.steps.find(({ id }: { id: string }) => id === "daemon-service");
    assert.equal(service.status, "not-applicable");
    assert.ok(done.out.warnings.some((warning: string) => warning.includes(service.detail)));
    const again = `/bin/rm "$HOME/.theurian/env"; ${machine.executable} setup --port ${port}`;
    const text = await machine.shell(again);
    assert.ok(text.includes(`\n  . ${machine.home}/.theurian/env\n`), "what to put into a profile");
    const [byHand] = /theurian daemon start --foreground --port \d+/.exec(service.detail)!;
    machine.serve(byHand.replace("theurian", machine.executable));
    await machine.answers(true);
    await works(machine, `http://127.0.0.1:${port}/mcp`, "Bearer $THEURIAN_MCP_TOKEN");
    const doctor = await machine.run(`doctor --port ${port}`);
    assert.deepEqual([doctor.exit, doctor.out.healthy, doctor.out.problemCount], [0, true, 0]);
    const removed = await machine.run("uninstall");
    assert.deepEqual([removed.exit, removed.out.removed, removed.out.warnings], [0, [], []]);
    assert.deepEqual(beyondData(machine), []);
    assert.deepEqual(machine.listing(), [
      ".theurian",
      ".theurian/auth",
      ".theurian/auth/mcp-token",
      ".theurian/daemon.lock",
      ".theurian/env",
      ".theurian/setup-journal.jsonl",
    ]);
  },
});

Deno.test({
  name: "with a service manager and a client: connected by setup, through its whole life, and gone",
  ignore: !HAS_EXECUTABLE,
  async fn() {
    await using machine = freshMachine({ manager: true, client: true });
    const { port } = machine;
    const done = await machine.run(`setup --port ${port}`);
    assert.deepEqual([done.exit, done.out.state, done.out.warnings], [0, "converged", []]);
    await machine.answers(true);
    const client = JSON.parse(machine.read(`${machine.home}/.claude.json`)).mcpServers.theurian;
    await works(machine, client.url, client.headers.Authorization);
    const again = await machine.run(`setup --port ${port}`);
    assert.deepEqual([again.out.state, again.out.changedPaths], ["converged", []]);
    const status = await machine.run(`daemon status --port ${port}`);
    assert.deepEqual([status.out.state, status.out.listening], ["running", true]);
    const doctor = await machine.run(`doctor --port ${port}`);
    assert.deepEqual([doctor.exit, doctor.out.problemCount], [0, 0]);
    assert.equal((await machine.run(`daemon start --port ${port}`)).out.decision, "reuse");
    await rotates(machine, client);
    await stopsAndStarts(machine);
    const planned = await machine.run("uninstall --dry-run");
    const gone = await machine.run("uninstall");
    assert.deepEqual([gone.exit, gone.out.removed, gone.out.warnings], [
      0,
      planned.out.removed,
      [],
    ]);
    assert.equal(gone.out.removed.length, 2);
    await machine.answers(false);
    assert.deepEqual(beyondData(machine), []);
    assert.deepEqual((await machine.run("uninstall")).out.removed, []);
    assert.equal((await machine.run(`daemon status --port ${port}`)).out.state, "not-installed");
  },
});

/** The old token is refused and the new one taken, also by the restarted service. */
async function rotates(
  machine: FreshMachine,
  client: { url: string; headers: { Authorization: string } },
): Promise<void> {
  const old = machine.read(`${machine.home}/.theurian/auth/mcp-token`);
  const { exit, out } = await machine.run(`auth rotate --port ${machine.port}`);
  assert.deepEqual([exit, out.rotated, out.daemonRestarted], [0, true, true]);
  await machine.answers(true);
  const refused = await ask(machine, client.url, `Bearer ${old}`);
  await refused.body?.cancel();
  assert.equal(refused.status, 401);
  await works(machine, client.url, client.headers.Authorization);
}

async function stopsAndStarts(machine: FreshMachine): Promise<void> {
  const { port } = machine;
  assert.equal((await machine.run("daemon stop")).out.stopped, true);
  await machine.answers(false);
  const stopped = await machine.run(`daemon status --port ${port}`);
  assert.equal(stopped.out.state, "installed-stopped");
  const doctor = await machine.run(`doctor --port ${port}`);
  assert.deepEqual([doctor.exit, doctor.out.problemCount], [1, 1]);
  assert.equal((await machine.run(`daemon start --port ${port}`)).out.decision, "start");
  const restarted = await machine.run(`daemon restart --port ${port}`);
  assert.deepEqual([restarted.exit, restarted.out.restarted], [0, true]);
  const logs = await machine.run("daemon logs --lines 5");
  assert.equal(logs.exit, 0);
  assert.ok(logs.out.count > 0);
}
