/**
 * Kills, stale locks, taken ports, jumping clocks, disks that are full or read-only, met by the
 * program itself: every state and message that is documented (daemon-and-setup.md 3, 5, 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Daemon, freePort, isHealthy } from "../../scripts/daemon.ts";
import { findProgram, run, spawn } from "../../scripts/program.ts";
import { whereIs } from "../support/installer.ts";

const PROGRAM = findProgram();
const IS_EXECUTABLE = PROGRAM.prefix.length === 0;

interface Place extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly data: string;
  readonly path: string;
}

function newPlace(): Place {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-fault-" }));
  const [home, data, path] = [join(root, "home"), join(root, "home/.theurian"), join(root, "bin")];
  for (const directory of [home, path]) Deno.mkdirSync(directory, { mode: 0o700 });
  return {
    root,
    home,
    data,
    path,
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

function environmentOf(place: Place): Record<string, string> {
  return { HOME: place.home, PATH: place.path };
}

async function theurian(place: Place, line: string, env: Record<string, string> = {}) {
  const outcome = await run(PROGRAM, [...line.split(" "), "--json"], {
    cwd: place.root,
    env: { ...environmentOf(place), ...env },
    limitMs: 30_000,
  });
  return documents(outcome.exit, outcome.stdout, outcome.stderr);
}

function documents(exit: number, stdout: string, stderr: string) {
  const document = (text: string) => text === "" ? null : JSON.parse(text);
  return { exit, out: document(stdout), err: document(stderr) };
}

function startDaemon(place: Place, port: number): Promise<Daemon> {
  return Daemon.start(PROGRAM, { port, cwd: place.root, home: place.home, path: place.path });
}

function step(document: { steps: { id: string }[] }, id: string) {
  return document.steps.find((one) => one.id === id) as unknown as Record<string, string>;
}

async function pause(milliseconds: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

const DATA_FILES = ["auth", "daemon.lock", "mcp-token"];

function namesBelow(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap((entry) =>
    entry.isDirectory ? [entry.name, ...namesBelow(join(directory, entry.name))] : [entry.name]
  ).sort();
}

Deno.test("killed at any moment, a daemon starts again with the same token and whole files", async () => {
  using place = newPlace();
  const port = freePort();
  const args = ["daemon", "start", "--foreground", "--port", String(port)];
  let token: string | null = null;
  for (let round = 0; round < 16; round++) {
    const child = spawn(PROGRAM, args, { cwd: place.root, env: environmentOf(place) });
    await pause(round * 12);
    child.kill("SIGKILL");
    await child.output();
    const before: string | null = token;
    token = tokenOf(place);
    if (before !== null) assert.equal(token, before, "a token that was minted stays");
  }
  const daemon = await startDaemon(place, port);
  const kept = namesBelow(place.data).filter((name) =>
    !/^\.theurian-[0-9a-f]{16}\.tmp$/.test(name)
  );
  assert.deepEqual(kept, DATA_FILES);
  assert.match(Deno.readTextFileSync(join(place.data, "daemon.lock")), /^\{"pid":\d+\}\n$/);
  assert.equal((await daemon.stop()).code, 0);
});

/** The token, once it is whole; a kill may come before it is written. */
function tokenOf(place: Place): string | null {
  try {
    const text = Deno.readTextFileSync(join(place.data, "auth/mcp-token"));
    assert.match(text, /^[\w-]{43}$|^$/, "never half a token");
    return text === "" ? null : text;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

Deno.test("a breadcrumb of a process that is gone holds nobody up", async () => {
  using place = newPlace();
  Deno.mkdirSync(place.data, { mode: 0o700 });
  const lock = join(place.data, "daemon.lock");
  Deno.writeTextFileSync(lock, `{"pid": 999999999}\n${"a much longer old line\n".repeat(9)}`);
  const daemon = await startDaemon(place, freePort());
  assert.match(Deno.readTextFileSync(lock), /^\{"pid":\d+\}\n$/, "nothing of the old one is left");
  assert.equal((await daemon.stop()).code, 0);
});

const FLOCK = whereIs("flock");
if (FLOCK === null) {
  console.log("Not run: a lock that another program holds, since there is no flock");
}
Deno.test({
  name: "a held lock without a daemon is stale: named, waited for, never removed (trap 14)",
  ignore: FLOCK === null,
  async fn() {
    using place = newPlace();
    Deno.mkdirSync(place.data, { mode: 0o700 });
    const lock = join(place.data, "daemon.lock");
    const holder = new Deno.Command(FLOCK!, { args: [lock, "sleep", "60"] }).spawn();
    await pause(200);
    try {
      const port = freePort();
      const before = performance.now();
      const { exit, out, err } = await theurian(place, `daemon start --foreground --port ${port}`);
      const took = performance.now() - before;
      assert.deepEqual([exit, out], [1, null]);
      for (const part of [lock, `127.0.0.1:${port}`, "nothing is removed"]) {
        assert.ok(err.error.includes(part), `${part} in ${err.error}`);
      }
      assert.match(err.remedy, /theurian daemon status --port/);
      assert.ok(
        took > 2500 && took < 20_000,
        `it waits for a winner that may still start: ${took}`,
      );
      assert.ok(Deno.statSync(lock).isFile);
    } finally {
      endChildrenOf(holder.pid);
      await holder.status;
    }
    assert.equal((await (await startDaemon(place, freePort())).stop()).code, 0);
  },
});

/** Ends what a wrapper runs; the wrapper ends with it. */
function endChildrenOf(pid: number): void {
  const { stdout } = new Deno.Command("ps", { args: ["-o", "pid=", "--ppid", String(pid)] })
    .outputSync();
  for (const child of new TextDecoder().decode(stdout).trim().split(/\s+/)) {
    Deno.kill(Number(child), "SIGKILL");
  }
}

/** A server of somebody else on a free port. */
interface Foreign {
  readonly port: number;
  end(): Promise<void> | void;
}

function webServer(answer: () => Response): Foreign {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return { port: server.addr.port, end: () => server.shutdown() };
}

/** Takes connections and says nothing. */
function silentServer(): Foreign {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const taken: Deno.TcpConn[] = [];
  const taking = (async () => {
    for await (const connection of listener) taken.push(connection);
  })();
  return {
    port: listener.addr.port,
    async end() {
      listener.close();
      await taking;
      for (const connection of taken) connection.close();
    },
  };
}

const OURS = { status: "ok", version: "0.5.3", protocolVersion: "theurian/v1" };

Deno.test("whatever holds the port is told apart, and never reused (traps 13, 17, 57)", async (t) => {
  const answers: readonly (readonly [string, (() => Response) | null, RegExp, boolean])[] = [
    ["a plain web server", () => new Response("<html>"), /foreign process/, false],
    ["an empty object", () => Response.json({}), /foreign process/, false],
    ["an error", () => new Response("x", { status: 500 }), /foreign process/, false],
    ["no answer at all", null, /foreign process/, false],
    ["no implementation", () => Response.json(OURS), /another implementation's.*0\.5\.3/, true],
    [
      "another implementation",
      () => Response.json({ ...OURS, implementation: "theurian-other" }),
      /another implementation's.*0\.5\.3/,
      true,
    ],
    [
      "another data directory",
      () => Response.json({ ...OURS, implementation: "theurian-deno", dataDir: "/elsewhere" }),
      /\/elsewhere/,
      true,
    ],
  ];
  for (const [what, answer, message, listening] of answers) {
    await t.step(what, async () => {
      using place = newPlace();
      const server = answer === null ? silentServer() : webServer(answer);
      const { port } = server;
      try {
        for (const line of ["daemon start --foreground", "daemon start"]) {
          const { exit, out, err } = await theurian(place, `${line} --port ${port}`);
          assert.deepEqual([exit, out], [1, null], line);
          if (line.endsWith("foreground") || listening) {
            assert.ok(err.error.includes(String(port)) && message.test(err.error), err.error);
          }
          assert.notEqual(err.remedy, "");
        }
        const status = await theurian(place, `daemon status --port ${port}`);
        assert.deepEqual([status.exit, status.out.listening], [0, listening]);
        const doctor = await theurian(place, `doctor --port ${port}`);
        const found = step(doctor.out, "single-instance")["status"];
        assert.equal(found, listening ? "conflicting" : "not-applicable");
      } finally {
        await server.end();
      }
      const daemon = await startDaemon(place, freePort());
      assert.equal((await daemon.stop()).code, 0, "the lock was let go");
    });
  }
});

Deno.test("a stop does not wait for clients that hold a connection and ask nothing", async () => {
  using place = newPlace();
  const daemon = await startDaemon(place, freePort());
  const held: Deno.TcpConn[] = [];
  for (
    const sent of [
      "",
      "GET /health HTTP/1.1\r\n",
      `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n\r\n`,
    ]
  ) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: daemon.port });
    await connection.write(new TextEncoder().encode(sent));
    held.push(connection);
  }
  await pause(200);
  const before = performance.now();
  assert.equal((await daemon.stop()).code, 0);
  assert.ok(performance.now() - before < 4000, `${performance.now() - before}`);
  for (const connection of held) connection.close();
  const again = await startDaemon(place, daemon.port);
  assert.equal((await again.stop()).code, 0);
});

Deno.test("a relative data directory is absolute in health, in the unit and on disk (trap 4)", async () => {
  using place = newPlace();
  const port = freePort();
  const env = { ...environmentOf(place), THEURIAN_DATA_DIR: "some/./where/.." };
  const args = ["daemon", "start", "--foreground", "--port", String(port)];
  const child = spawn(PROGRAM, args, { cwd: place.root, env });
  while (!await isHealthy(port)) await pause(30);
  const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json();
  child.kill("SIGTERM");
  assert.equal((await child.output()).code, 0);
  assert.equal(health.dataDir, join(place.root, "some"));
  assert.deepEqual(namesBelow(join(place.root, "some")), DATA_FILES);
  if (!IS_EXECUTABLE) return;
  const systemctl = join(place.path, "systemctl");
  Deno.writeTextFileSync(systemctl, "#!/bin/sh\n[ $2 != start ] && echo running\n", {
    mode: 0o755,
  });
  const { THEURIAN_DATA_DIR } = env;
  await theurian(place, `setup --port ${freePort()}`, { THEURIAN_DATA_DIR });
  const unit = Deno.readTextFileSync(join(place.home, ".config/systemd/user/theurian.service"));
  assert.match(unit, new RegExp(`^Environment=THEURIAN_DATA_DIR=${place.root}/some$`, "m"));
  assert.match(unit, new RegExp(`^WorkingDirectory=${place.root}/some$`, "m"));
});

Deno.test("the program leaves nothing in the shared temporary directory", async () => {
  using place = newPlace();
  const temporary = join(place.root, "tmp");
  Deno.mkdirSync(temporary);
  const env = { TMPDIR: temporary };
  for (const line of ["version", "setup", "doctor", "project list"]) {
    await theurian(place, line, env);
  }
  assert.deepEqual([...Deno.readDirSync(temporary)], []);
});

const FAKETIME = ["x86_64", "aarch64"].map((machine) =>
  `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`
).find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});
if (FAKETIME === undefined) console.log("Not run: a jumping clock, since there is no libfaketime");

Deno.test({
  name: "a clock that jumps years to and fro changes no answer and ends no daemon",
  ignore: FAKETIME === undefined || !IS_EXECUTABLE,
  async fn() {
    using place = newPlace();
    const clock = join(place.root, "clock");
    const set = (time: string) => Deno.writeTextFileSync(clock, `@${time} 00:00:00\n`);
    set("2035-01-01");
    const port = freePort();
    const child = spawn(PROGRAM, ["daemon", "start", "--foreground", "--port", String(port)], {
      cwd: place.root,
      env: {
        ...environmentOf(place),
        LD_PRELOAD: FAKETIME!,
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: "1",
        FAKETIME_DONT_FAKE_MONOTONIC: "1",
      },
    });
    const output = child.output();
    while (!await isHealthy(port)) await pause(30);
    const health = await (await fetch(`http://127.0.0.1:${port}/health`)).json();
    assert.match(health.startedAt, /^2035-01-01T/, "the clock is seen to be another one");
    const token = Deno.readTextFileSync(join(place.data, "auth/mcp-token"));
    for (const time of ["1999-12-31", "2100-01-01", "2020-02-29"]) {
      set(time);
      for (let i = 0; i < 3; i++) {
        const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "project.list", arguments: {} },
          }),
        });
        assert.equal((await response.json()).result.isError, false, time);
      }
    }
    child.kill("SIGTERM");
    const { code, stderr } = await output;
    assert.deepEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
  },
});
