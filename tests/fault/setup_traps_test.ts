/**
 * Setup's, doctor's and uninstall's traps, met by the executable itself (daemon-and-setup.md, traps
 * 34 to 45).
 *
 * @module
 */

import assert from "node:assert/strict";
import { freePort } from "../../scripts/daemon.ts";
import { type FreshMachine, freshMachine, HAS_EXECUTABLE } from "../support/fresh_machine.ts";

if (!HAS_EXECUTABLE) console.log("Not run: setup's traps, since there is no executable");

function trap(name: string, fn: (machine: FreshMachine) => Promise<void>): void {
  Deno.test({
    name,
    ignore: !HAS_EXECUTABLE,
    async fn() {
      await using machine = freshMachine({ manager: true, client: true });
      await fn(machine);
    },
  });
}

function statusOf(document: { steps: { id: string; status: string }[] }, id: string): string {
  return document.steps.find((step) => step.id === id)!.status;
}

function contents(machine: FreshMachine): Record<string, string> {
  const files = machine.listing().filter((path) => /\.(json|service)$|env$|mcp-token$/.test(path));
  return Object.fromEntries(files.map((path) => [path, machine.read(`${machine.home}/${path}`)]));
}

trap(
  "a dry run plans and writes nothing, not even the data directory (trap 34)",
  async (machine) => {
    const { exit, out } = await machine.run("setup --dry-run");
    assert.deepEqual([exit, out.state, out.succeeded, out.changedPaths], [
      0,
      "plan-built",
      false,
      [],
    ]);
    assert.deepEqual(machine.listing(), []);
  },
);

trap("a second setup converges, changes nothing and notes nothing (trap 35)", async (machine) => {
  await machine.run(`setup --port ${machine.port}`);
  const journal = machine.read(`${machine.home}/.theurian/setup-journal.jsonl`);
  const { exit, out } = await machine.run(`setup --port ${machine.port}`);
  assert.deepEqual([exit, out.state, out.changedPaths], [0, "converged", []]);
  assert.equal(machine.read(`${machine.home}/.theurian/setup-journal.jsonl`), journal);
});

trap(
  "another port asks for consent, and consent leaves what differs (trap 36)",
  async (machine) => {
    await machine.run(`setup --port ${machine.port}`);
    const before = contents(machine);
    const other = freePort();
    const asked = await machine.run(`setup --port ${other}`);
    assert.deepEqual([asked.exit, asked.out.state], [5, "awaiting-consent"]);
    for (const id of ["daemon-service", "mcp-connection"]) {
      assert.equal(statusOf(asked.out, id), "conflicting", id);
    }
    assert.deepEqual(contents(machine), before);
    const client = `${machine.home}/.claude.json`;
    const edited = machine.read(client).replace(String(machine.port), String(other));
    machine.write(client, edited);
    const left = await machine.run(`setup --approve-conflicts --port ${machine.port}`);
    assert.deepEqual([left.exit, left.out.state], [0, "degraded"]);
    assert.equal(statusOf(left.out, "mcp-connection"), "conflicting");
    assert.equal(machine.read(client), edited);
  },
);

trap(
  "an env file with two starts is left alone, a user's lines stay as they are (trap 38)",
  async (machine) => {
    const env = `${machine.home}/.theurian/env`;
    await machine.run(`setup --port ${machine.port}`);
    const block = machine.read(env);
    machine.write(env, `${block}# >>> theurian >>>\n`);
    const asked = await machine.run(`setup --port ${machine.port}`);
    assert.deepEqual([asked.exit, statusOf(asked.out, "env-reference")], [5, "conflicting"]);
    assert.equal(machine.read(env), `${block}# >>> theurian >>>\n`);
    machine.write(env, "export A=1\r\nexport B='ü'");
    const { exit } = await machine.run(`setup --port ${machine.port}`);
    assert.equal(exit, 0);
    assert.ok(machine.read(env).startsWith("export A=1\r\nexport B='ü'\n\n# >>> theurian >>>\n"));
    machine.write(env, `before\r\n${block.replace("mcp-token", "other-token")}after`);
    await machine.run(`setup --port ${machine.port}`);
    assert.equal(machine.read(env), `before\r\n${block}after\n`);
  },
);

trap("a later assignment is a reservation and no problem (trap 39)", async (machine) => {
  const env = `${machine.home}/.theurian/env`;
  await machine.run(`setup --port ${machine.port}`);
  const block = machine.read(env);
  machine.write(env, `${block}export THEURIAN_MCP_TOKEN_EXTRA=x\n`);
  assert.equal((await machine.run(`setup --port ${machine.port}`)).out.state, "converged");
  machine.write(env, `${block}export THEURIAN_MCP_TOKEN=x\n`);
  const { out } = await machine.run(`setup --port ${machine.port}`);
  assert.deepEqual([out.state, statusOf(out, "env-reference")], ["degraded", "satisfied"]);
  const doctor = await machine.run(`doctor --port ${machine.port}`);
  assert.deepEqual([doctor.exit, doctor.out.problemCount], [0, 0]);
});

trap(
  "a data directory that a shell would read is refused before a byte is written (trap 40)",
  async (machine) => {
    for (const name of ['a"b', "a$b", "a`b", "a\\b", "a\nExecStart=/bin/evil"]) {
      const env = { THEURIAN_DATA_DIR: `${machine.home}/${name}` };
      const { exit, out, err } = await machine.run(`setup --port ${machine.port}`, env);
      assert.deepEqual([exit, out], [1, null], name);
      assert.notEqual(err.remedy, "");
      assert.deepEqual(machine.listing(), [], name);
    }
  },
);

trap(
  "a client's file that is no JSON is a conflict and stays as it is (trap 41)",
  async (machine) => {
    const client = `${machine.home}/.claude.json`;
    for (const text of ["{bad", "[]", ""]) {
      machine.write(client, text);
      const { exit, out } = await machine.run(`setup --port ${machine.port}`);
      assert.deepEqual([exit, statusOf(out, "mcp-connection")], [5, "conflicting"], text);
      assert.equal(machine.read(client), text);
    }
  },
);

trap("a client that only says it added the entry is a failed step (trap 42)", async (machine) => {
  const bin = machine.executable.replace(/theurian$/, "claude");
  machine.write(bin, "#!/bin/sh\nexit 0\n");
  const { exit, out } = await machine.run(`setup --port ${machine.port}`);
  const step = out.steps.find(({ id }: { id: string }) => id === "mcp-connection");
  assert.deepEqual([exit, out.state, step.outcome], [0, "degraded", "failed"]);
  assert.notEqual(step.detail, "");
});

trap("a shared report names nothing of the user (trap 43)", async (machine) => {
  const { home, port } = machine;
  await machine.run(`setup --port ${port}`);
  const unit = `${home}/.config/systemd/user/theurian.service`;
  machine.write(unit, `${machine.read(unit)}Environment=SECRET=hunter2\nFOREIGN_KEY=1\n`);
  machine.write(
    `${home}/.claude.json`,
    JSON.stringify({
      mcpServers: { theurian: { type: "http", command: "hunter2", secretKey: "x" }, other: {} },
    }),
  );
  machine.write(`${home}/.theurian/projects.json`, '{"customer-project": {"rootPath": 5}}');
  const { exit, out } = await machine.run(`doctor --report --port ${port}`);
  assert.deepEqual([exit, out.redacted], [1, true]);
  const text = JSON.stringify(out);
  const token = machine.read(`${home}/.theurian/auth/mcp-token`);
  for (
    const word of [home, token, "hunter2", "SECRET", "FOREIGN", "secretKey", "customer-project"]
  ) {
    assert.ok(!text.includes(word), word);
  }
  const details = out.steps.filter(({ status }: { status: string }) => status === "conflicting");
  assert.ok(details.some(({ detail }: { detail: string }) => / 2 other$/.test(detail)), text);
});

trap(
  "uninstall twice: the second finds nothing, and what is kept is kept (trap 45)",
  async (machine) => {
    await machine.run(`setup --port ${machine.port}`);
    machine.write(`${machine.home}/.theurian/projects.json`, "{}\n");
    const token = machine.read(`${machine.home}/.theurian/auth/mcp-token`);
    assert.equal((await machine.run("uninstall")).out.removed.length, 2);
    const again = await machine.run("uninstall");
    assert.deepEqual([again.exit, again.out.removed], [0, []]);
    assert.equal(machine.read(`${machine.home}/.theurian/auth/mcp-token`), token);
    assert.equal(machine.read(`${machine.home}/.theurian/projects.json`), "{}\n");
  },
);
