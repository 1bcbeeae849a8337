import assert from "node:assert/strict";
import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { type Machine, newMachine } from "./_testing/machine.ts";
import { STEP_IDS, type StepId, type StepReport } from "./report.ts";
import { runSetup, type SetupConsent } from "./run_setup.ts";
import type { SetupWorld } from "./setup_world.ts";

const APPLY: SetupConsent = { dryRun: false, approveConflicts: false };
const APPROVE: SetupConsent = { dryRun: false, approveConflicts: true };

async function setUp(machine: Machine, consent = APPLY, over: Partial<SetupWorld> = {}) {
  const report = await runSetup(await machine.world(over), consent);
  const step = (id: StepId): StepReport => report.steps.find((one) => one.id === id)!;
  return { ...report, step };
}

Deno.test("setup --dry-run on a clean home shows the plan and writes nothing", async () => {
  await using machine = newMachine();
  const plan = await setUp(machine, { dryRun: true, approveConflicts: false });
  assert.deepEqual(machine.listing(), []);
  assert.deepEqual([plan.state, plan.dryRun, plan.succeeded], ["plan-built", true, false]);
  assert.deepEqual(plan.steps.map(({ id }) => id), [...STEP_IDS]);
  for (const step of plan.steps) {
    assert.deepEqual(Object.keys(step).sort(), [
      "action",
      "detail",
      "id",
      "outcome",
      "paths",
      "status",
      "summary",
    ]);
    assert.notEqual(step.summary, "");
    assert.equal(step.outcome, "not-attempted");
    if (step.status === "missing") assert.notEqual(step.action, "");
    if (step.status === "conflicting") assert.notEqual(step.detail, "");
  }
  const missing = plan.steps.filter(({ status }) => status === "missing").map(({ id }) => id);
  assert.deepEqual(missing, [
    "data-directory",
    "token",
    "token-storage",
    "env-reference",
    "daemon-service",
    "daemon-running",
    "mcp-connection",
  ]);
});

Deno.test("setup makes a clean machine ready, and a second run changes nothing", async () => {
  await using machine = newMachine();
  const first = await setUp(machine);
  assert.equal(first.state, "converged", JSON.stringify(first, null, 1));
  assert.equal(first.succeeded, true);
  const { dataDirectory, home } = machine;
  const modes = { "": 0o700, "auth": 0o700, "auth/mcp-token": 0o600, "env": 0o600 };
  for (const [name, mode] of Object.entries(modes)) {
    assert.equal(Deno.statSync(join(dataDirectory, name)).mode! & 0o7777, mode, name);
  }
  const journal = join(dataDirectory, "setup-journal.jsonl");
  const unit = join(home, ".config/systemd/user/theurian.service");
  assert.deepEqual(first.changedPaths, [
    dataDirectory,
    join(dataDirectory, "auth/mcp-token"),
    join(dataDirectory, "auth"),
    join(dataDirectory, "env"),
    unit,
    join(home, ".claude.json"),
    journal,
  ]);
  assert.equal(Deno.statSync(unit).mode! & 0o777, 0o644);
  assert.equal(Deno.statSync(journal).mode! & 0o777, 0o600);
  const lines = Deno.readTextFileSync(journal).trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(Object.keys(lines[0]).sort(), ["detail", "event", "step"]);
  assert.equal(lines.length, 7);
  const before = Deno.readTextFileSync(journal);
  const second = await setUp(machine);
  assert.deepEqual([second.state, second.changedPaths, second.warnings], ["converged", [], []]);
  assert.equal(Deno.readTextFileSync(journal), before);
});

Deno.test("setup never hands the token to another program, and names it by reference", async () => {
  await using machine = newMachine();
  await setUp(machine);
  const token = Deno.readTextFileSync(join(machine.dataDirectory, "auth/mcp-token"));
  const said = Deno.readTextFileSync(join(machine.state, "claude.log"));
  assert.ok(said.includes("Authorization: Bearer ${THEURIAN_MCP_TOKEN}"));
  for (const file of machine.listing().map((name) => join(machine.home, name))) {
    if (file.endsWith("mcp-token") || Deno.statSync(file).isDirectory) continue;
    assert.ok(!Deno.readTextFileSync(file).includes(token), file);
  }
  assert.ok(!said.includes(token));
});

Deno.test("setup installs, enables and starts the unit through the manager", async () => {
  await using machine = newMachine();
  await setUp(machine);
  const log = Deno.readTextFileSync(join(machine.state, "systemctl.log")).split("\n");
  const order = ["daemon-reload", "enable theurian.service", "start theurian.service"]
    .map((command) => log.indexOf(`--user ${command}`));
  assert.ok(order.every((at, i) => at >= 0 && (i === 0 || at > order[i - 1]!)), log.join("\n"));
});

Deno.test("setup on another port asks for consent, and with it leaves both as they are", async () => {
  await using machine = newMachine();
  await setUp(machine);
  const before = machine.listing();
  const unit = join(machine.home, ".config/systemd/user/theurian.service");
  const text = Deno.readTextFileSync(unit);
  const other = { port: machine.port === 65_535 ? 1024 : machine.port + 1 };
  const asked = await setUp(machine, APPLY, other);
  assert.equal(asked.state, "awaiting-consent");
  assert.deepEqual(asked.changedPaths, []);
  assert.deepEqual(machine.listing(), before);
  const conflicts = asked.steps.filter(({ status }) => status === "conflicting");
  assert.deepEqual(conflicts.map(({ id }) => id), ["daemon-service", "mcp-connection"]);
  assert.equal(asked.warnings.length, 2);
  const left = await setUp(machine, APPROVE, other);
  assert.equal(left.state, "degraded");
  assert.equal(left.step("daemon-service").outcome, "unchanged");
  assert.equal(left.step("mcp-connection").outcome, "unchanged");
  assert.equal(Deno.readTextFileSync(unit), text);
});

Deno.test("setup without a service manager ends degraded and says how to run the daemon", async () => {
  for (const manager of [null, "offline"]) {
    await using machine = newMachine({ manager });
    const report = await setUp(machine);
    assert.equal(report.state, "degraded");
    const step = report.step("daemon-service");
    assert.equal(step.status, "not-applicable");
    assert.match(step.detail, /theurian daemon start --foreground --port \d+.*automatic/);
    assert.ok(report.warnings.some((warning) => warning.startsWith("daemon-service: ")));
  }
});

Deno.test("setup aborts before writing when it does not run as the built executable", async () => {
  await using machine = newMachine();
  for (
    const executable of [null, "relative/theurian", join(machine.root, "nowhere"), machine.home]
  ) {
    for (const consent of [APPLY, APPROVE, { dryRun: true, approveConflicts: false }]) {
      const report = await setUp(machine, consent, { executable });
      assert.equal(report.state, "aborted");
      assert.match(report.warnings[0]!, /^core-present: /);
    }
  }
  assert.deepEqual(machine.listing(), []);
});

Deno.test("setup halts at an env file that is a link to nowhere, and creates nothing there", async () => {
  await using machine = newMachine();
  Deno.mkdirSync(machine.dataDirectory, { mode: 0o700 });
  const target = join(machine.home, "planted");
  Deno.symlinkSync(target, join(machine.dataDirectory, "env"));
  const report = await setUp(machine);
  assert.equal(report.state, "halted");
  assert.equal(report.succeeded, false);
  assert.equal(report.step("env-reference").status, "missing");
  assert.equal(report.step("env-reference").outcome, "failed");
  assert.equal(report.step("daemon-service").outcome, "not-attempted");
  assert.equal(report.step("serena-detection").outcome, "not-attempted");
  assert.equal(report.step("token").outcome, "changed");
  assert.ok(!report.changedPaths.includes(join(machine.dataDirectory, "env")));
  assert.throws(() => Deno.lstatSync(target));
});

Deno.test("setup leaves an env file with two start markers alone", async () => {
  await using machine = newMachine();
  Deno.mkdirSync(machine.dataDirectory, { mode: 0o700 });
  const env = join(machine.dataDirectory, "env");
  const text = "# >>> theurian >>>\n# <<< theurian <<<\n# >>> theurian >>>\n";
  Deno.writeTextFileSync(env, text);
  const report = await setUp(machine);
  assert.equal(report.state, "awaiting-consent");
  assert.equal(report.step("env-reference").status, "conflicting");
  assert.equal(Deno.readTextFileSync(env), text);
});

Deno.test("a later assignment of the variable is a reservation, no problem", async () => {
  await using machine = newMachine();
  await setUp(machine);
  const env = join(machine.dataDirectory, "env");
  Deno.writeTextFileSync(env, "export THEURIAN_MCP_TOKEN=x\n", { append: true });
  const report = await setUp(machine);
  assert.equal(report.state, "degraded");
  assert.equal(report.step("env-reference").status, "satisfied");
  assert.equal(report.warnings.length, 1);
});

Deno.test("setup works with a space in the data directory and refuses what a shell would read", async () => {
  await using machine = newMachine({ data: "my data" });
  assert.equal((await setUp(machine)).state, "converged");
  const unit = Deno.readTextFileSync(join(machine.home, ".config/systemd/user/theurian.service"));
  assert.ok(unit.includes(`Environment="THEURIAN_DATA_DIR=${machine.dataDirectory}"`));
  const before = machine.listing();
  for (const bad of ['a"b', "a$b", "a`b", "a\\b", "a\nb"]) {
    const over = { dataDirectory: join(machine.home, bad) };
    await assert.rejects(setUp(machine, APPROVE, over), (error) => {
      assert.ok(error instanceof TheurianError);
      assert.equal(error.exit, 1);
      return true;
    });
  }
  assert.deepEqual(machine.listing(), before);
});

Deno.test("setup tightens an open data directory, and never an exposed token", async () => {
  await using machine = newMachine();
  await setUp(machine);
  Deno.chmodSync(machine.dataDirectory, 0o755);
  const tightened = await setUp(machine);
  assert.equal(tightened.step("data-directory").outcome, "changed");
  assert.equal(Deno.statSync(machine.dataDirectory).mode! & 0o777, 0o700);
  const token = join(machine.dataDirectory, "auth/mcp-token");
  Deno.chmodSync(token, 0o640);
  const exposed = await setUp(machine);
  assert.equal(exposed.state, "awaiting-consent");
  assert.equal(exposed.step("token-storage").status, "conflicting");
  assert.match(exposed.step("token-storage").action, /auth rotate/);
  assert.equal(Deno.statSync(token).mode! & 0o777, 0o640);
});

Deno.test("a short token, a linked token and an open auth directory are conflicts", async () => {
  await using machine = newMachine();
  await setUp(machine);
  const auth = join(machine.dataDirectory, "auth");
  const token = join(auth, "mcp-token");
  Deno.writeTextFileSync(token, "short");
  assert.equal((await setUp(machine)).step("token").status, "conflicting");
  Deno.removeSync(token);
  Deno.symlinkSync("/nowhere", token);
  const linked = await setUp(machine);
  assert.equal(linked.step("token").status, "conflicting");
  assert.equal(linked.step("token-storage").status, "conflicting");
  Deno.removeSync(token);
  await setUp(machine);
  for (const mode of [0o770, 0o750]) {
    Deno.chmodSync(auth, mode);
    const open = (await setUp(machine)).step("token-storage");
    assert.equal(open.status, "conflicting");
    assert.equal(open.action.includes("rotate"), mode === 0o770);
  }
});

Deno.test("a service that never answers is a failed step with the manager's words", async () => {
  await using machine = newMachine();
  machine.tell("dead");
  const silent = await setUp(machine);
  assert.equal(silent.state, "degraded");
  assert.equal(silent.step("daemon-running").outcome, "failed");
  machine.tell("fail");
  const failed = await setUp(machine);
  assert.equal(failed.step("daemon-running").outcome, "failed");
  assert.ok(failed.warnings.some((warning) => warning.includes("Job for theurian.service failed")));
});

Deno.test("an installation that fails halts the run", async () => {
  await using machine = newMachine();
  machine.tell("fail");
  const report = await setUp(machine);
  assert.equal(report.state, "halted");
  assert.equal(report.step("daemon-service").outcome, "failed");
  assert.ok(report.changedPaths.some((path) => path.endsWith("theurian.service")));
});

Deno.test("the client's file keeps every other server and key", async () => {
  await using machine = newMachine();
  const path = join(machine.home, ".claude.json");
  const others = {
    theme: "dark",
    mcpServers: { serena: { command: "serena" } },
    z: [1, { a: null }],
  };
  Deno.writeTextFileSync(path, JSON.stringify(others, null, 2));
  const report = await setUp(machine);
  assert.equal(report.state, "converged");
  assert.equal(report.serenaDetected, true);
  const { mcpServers, ...rest } = JSON.parse(Deno.readTextFileSync(path));
  assert.deepEqual(rest, { theme: "dark", z: others.z });
  assert.deepEqual(mcpServers.serena, others.mcpServers.serena);
  assert.deepEqual(mcpServers.theurian, {
    type: "http",
    url: `http://127.0.0.1:${machine.port}/mcp`,
    headers: { Authorization: "Bearer ${THEURIAN_MCP_TOKEN}" },
  });
});

Deno.test("a client's file that is no JSON object is a conflict and stays as it is", async () => {
  await using machine = newMachine();
  const path = join(machine.home, ".claude.json");
  for (const text of ["{bad", "[]", "null", '"x"']) {
    Deno.writeTextFileSync(path, text);
    const report = await setUp(machine, APPROVE);
    assert.equal(report.step("mcp-connection").status, "conflicting", text);
    assert.equal(Deno.readTextFileSync(path), text);
  }
});

Deno.test("an entry of another kind is a conflict, a value that is no object is no entry", async () => {
  await using machine = newMachine();
  const path = join(machine.home, ".claude.json");
  const write = (theurian: unknown) =>
    Deno.writeTextFileSync(path, JSON.stringify({ mcpServers: { theurian } }));
  write({ command: "theurian", args: ["stdio"] });
  const differing = (await setUp(machine)).step("mcp-connection");
  assert.equal(differing.status, "conflicting");
  assert.match(differing.detail, /command: installed "theurian", ours \(absent\)/);
  assert.match(differing.detail, /type: installed \(absent\), ours "http"/);
  write("text");
  assert.equal((await setUp(machine)).step("mcp-connection").outcome, "changed");
});

Deno.test("a client that reports success without the entry is a failed step", async () => {
  await using machine = newMachine();
  machine.tell("claude-lies");
  const lying = await setUp(machine);
  assert.equal(lying.state, "degraded");
  assert.equal(lying.step("mcp-connection").outcome, "failed");
  machine.tell("claude-fails");
  const failing = await setUp(machine);
  assert.ok(failing.warnings.some((warning) => warning.includes("not logged in")));
});

Deno.test("another implementation's daemon and another data directory are conflicts", async () => {
  for (const health of [{ implementation: undefined, version: "0.5.3" }, { dataDir: "/other" }]) {
    await using machine = newMachine({ health });
    machine.tell("active");
    const report = await setUp(machine, APPROVE);
    assert.equal(report.step("single-instance").status, "conflicting");
    assert.match(report.step("single-instance").detail, /0\.5\.3|\/other/);
    assert.equal(report.state, "degraded");
  }
});

Deno.test("two setups at once converge on one token", async () => {
  await using machine = newMachine();
  await Promise.all([setUp(machine), setUp(machine)]);
  const token = Deno.readTextFileSync(join(machine.dataDirectory, "auth/mcp-token"));
  assert.match(token, /^[\w-]{43}$/);
  assert.equal((await setUp(machine)).state, "converged");
});
