import assert from "node:assert/strict";
import { join } from "node:path";
import { dataPaths } from "../daemon/mod.ts";
import { type Machine, newMachine } from "../setup/_testing/machine.ts";
import { runSetup } from "../setup/mod.ts";
import { runForTest } from "./test_world.ts";

const APPLY = { dryRun: false, approveConflicts: false };

async function run(machine: Machine, args: string, over: Record<string, string> = {}) {
  const outcome = await runForTest([...args.split(" "), "--json"], {
    cwd: machine.root,
    environment: {
      HOME: machine.home,
      THEURIAN_DATA_DIR: machine.dataDirectory,
      PATH: machine.path,
      ...over,
    },
  });
  const document = (text: string) => text === "" ? null : JSON.parse(text);
  return { exit: outcome.exit, out: document(outcome.stdout), err: document(outcome.stderr) };
}

Deno.test("daemon status tells the four states apart and always succeeds", async () => {
  await using machine = newMachine();
  const ask = async () => (await run(machine, `daemon status --port ${machine.port}`)).out;
  const absent = await ask();
  assert.deepEqual(absent, {
    state: "not-installed",
    listening: false,
    version: null,
    dataDir: machine.dataDirectory,
    runningDataDir: null,
    implementation: null,
    lockFile: dataPaths(machine.dataDirectory).lock,
    endpoint: `http://127.0.0.1:${machine.port}/mcp`,
    service: "theurian.service",
  });
  await runSetup(await machine.world(), APPLY);
  const running = await ask();
  assert.deepEqual(
    [running.state, running.listening, running.version, running.service, running.runningDataDir],
    ["running", true, "0.6.0", null, machine.dataDirectory],
  );
  Deno.removeSync(join(machine.state, "active"));
  const stopped = await ask();
  assert.deepEqual([stopped.state, stopped.service], ["installed-stopped", "theurian.service"]);
  await using bare = newMachine({ manager: null });
  const unknown = (await run(bare, `daemon status --port ${bare.port}`)).out;
  assert.deepEqual([unknown.state, unknown.service], ["unknown", null]);
});

Deno.test("daemon status does not ask the manager while the daemon answers", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const log = join(machine.state, "systemctl.log");
  Deno.removeSync(log);
  await run(machine, `daemon status --port ${machine.port}`);
  assert.throws(() => Deno.statSync(log), Deno.errors.NotFound);
});

Deno.test("daemon status does not take an empty answer for a daemon", async () => {
  await using machine = newMachine({ health: { status: undefined } });
  machine.tell("active");
  const { out } = await run(machine, `daemon status --port ${machine.port}`);
  assert.deepEqual([out.listening, out.state], [false, "not-installed"]);
});

Deno.test("daemon start without an installed service names setup and installs nothing", async () => {
  await using machine = newMachine();
  const { exit, out, err } = await run(machine, `daemon start --port ${machine.port}`);
  assert.deepEqual([exit, out], [1, null]);
  assert.match(err.remedy, /theurian setup/);
  assert.deepEqual(machine.listing(), []);
  await using bare = newMachine({ manager: null });
  const none = await run(bare, `daemon start --port ${bare.port}`);
  assert.equal(none.exit, 1);
  assert.match(none.err.remedy, /theurian daemon start --foreground/);
});

Deno.test("daemon start reuses ours, and daemon stop stops it through the manager", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const reused = await run(machine, `daemon start --port ${machine.port}`);
  assert.deepEqual([reused.exit, reused.out.decision], [0, "reuse"]);
  const stopped = await run(machine, "daemon stop");
  assert.deepEqual(stopped.out, { stopped: true, service: "theurian.service" });
});

Deno.test("daemon start of another implementation's or directory's daemon is a conflict", async () => {
  for (const health of [{ implementation: undefined, version: "0.5.3" }, { dataDir: "/other" }]) {
    await using machine = newMachine({ health });
    machine.tell("active");
    const { exit, err } = await run(machine, `daemon start --port ${machine.port}`);
    assert.equal(exit, 1);
    assert.match(err.error, new RegExp(`${machine.port}.*(0\\.5\\.3|/other)`));
  }
});

Deno.test("daemon stop, restart and logs need an installed service", async () => {
  await using machine = newMachine();
  for (const command of ["stop", "restart", "logs"]) {
    const { exit, err } = await run(machine, `daemon ${command}`);
    assert.equal(exit, 1, command);
    assert.match(err.error, /not installed/);
  }
});

Deno.test("daemon logs shows the end of the unit's journal", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const { out } = await run(machine, "daemon logs --lines 1");
  assert.deepEqual(out, {
    source: "journal of theurian.service",
    count: 1,
    lines: ['{"event":"two"}'],
  });
  const asked = Deno.readTextFileSync(join(machine.state, "journalctl.log"));
  assert.match(asked, /--user --unit theurian\.service --lines 1 --no-pager/);
});

Deno.test("daemon restart answers with what serves afterwards", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const { out } = await run(machine, `daemon restart --port ${machine.port}`);
  assert.deepEqual(out, {
    restarted: true,
    service: "theurian.service",
    endpoint: `http://127.0.0.1:${machine.port}/mcp`,
    version: "0.6.0",
  });
  machine.tell("fail");
  const failed = await run(machine, `daemon restart --port ${machine.port}`);
  assert.equal(failed.exit, 1);
  assert.match(failed.err.error, /Job for theurian\.service failed/);
});

Deno.test("a port out of range is a usage error that names the range", async () => {
  for (const port of ["0", "70000", "-1", "x", "1.5", ""]) {
    const { exit, stdout, stderr } = await runForTest([
      "daemon",
      "start",
      "--foreground",
      `--port=${port}`,
    ]);
    assert.deepEqual([exit, stdout], [2, ""], port);
    assert.match(stderr, /1 to 65535/);
  }
});

Deno.test("auth rotate replaces token and block, restarts the service, and shows no token", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const tokenFile = dataPaths(machine.dataDirectory).token;
  const before = Deno.readTextFileSync(tokenFile);
  const { exit, out } = await run(machine, `auth rotate --port ${machine.port}`);
  const after = Deno.readTextFileSync(tokenFile);
  assert.notEqual(after, before);
  assert.deepEqual([exit, out.rotated, out.daemonRestarted, out.tokenFile], [
    0,
    true,
    true,
    tokenFile,
  ]);
  assert.match(out.token, /^<token 43 chars, sha-prefix [0-9a-f]{8}>$/);
  assert.ok(!JSON.stringify(out).includes(after));
  assert.match(out.nextSteps.at(-1), /new shell/);
  const log = Deno.readTextFileSync(join(machine.state, "systemctl.log"));
  assert.match(log, /--user restart theurian\.service/);
});

Deno.test("auth rotate with a linked env file still rotates, and names the file first", async () => {
  await using machine = newMachine();
  await runSetup(await machine.world(), APPLY);
  const { env } = dataPaths(machine.dataDirectory);
  const target = join(machine.root, "target");
  Deno.writeTextFileSync(target, "precious");
  Deno.removeSync(env);
  Deno.symlinkSync(target, env);
  const { exit, out } = await run(machine, `auth rotate --port ${machine.port}`);
  assert.deepEqual([exit, out.rotated], [0, true]);
  assert.ok(out.nextSteps[0].includes(env));
  assert.equal(Deno.readTextFileSync(target), "precious");
});

Deno.test("auth rotate that cannot write says that nothing was changed", async () => {
  await using machine = newMachine();
  const { token, auth } = dataPaths(machine.dataDirectory);
  Deno.mkdirSync(auth, { recursive: true, mode: 0o700 });
  Deno.symlinkSync("/nowhere", token);
  const { exit, out, err } = await run(machine, "auth rotate");
  assert.deepEqual([exit, out], [1, null]);
  assert.match(err.error, /nothing was changed/);
});

Deno.test("auth rotate beside a running daemon without a service needs no restart", async () => {
  await using machine = newMachine({ manager: null });
  machine.tell("active");
  const { out } = await run(machine, `auth rotate --port ${machine.port}`);
  assert.equal(out.daemonRestarted, false);
  assert.match(out.nextSteps[0], /no restart/);
});

Deno.test("auth status tells what is wrong with the token and never shows it", async () => {
  await using machine = newMachine();
  const { token, env } = dataPaths(machine.dataDirectory);
  const ask = async () => {
    const { exit, out } = await run(machine, "auth status");
    assert.equal(exit, 0);
    assert.deepEqual(Object.keys(out).sort(), [
      "envReference",
      "present",
      "problem",
      "token",
      "tokenFile",
      "usable",
    ]);
    return out;
  };
  const none = await ask();
  assert.deepEqual([none.present, none.usable, none.token, none.envReference], [
    false,
    false,
    null,
    "missing",
  ]);
  assert.notEqual(none.problem, "");
  await runSetup(await machine.world(), APPLY);
  const good = await ask();
  assert.deepEqual([good.present, good.usable, good.problem, good.envReference], [
    true,
    true,
    "",
    "current",
  ]);
  assert.ok(!JSON.stringify(good).includes(Deno.readTextFileSync(token)));
  Deno.chmodSync(token, 0o644);
  Deno.writeTextFileSync(env, "# >>> theurian >>>\n");
  const bad = await ask();
  assert.deepEqual([bad.present, bad.usable, bad.envReference], [true, false, "malformed"]);
  assert.match(bad.problem, /0644/);
});
