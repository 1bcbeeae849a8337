/**
 * The daemon's and setup's traps, met by the program itself under the permissions that ship:
 * `O_NOFOLLOW` behaves otherwise with every permission granted (daemon-and-setup.md 9.2, traps).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Daemon, freePort, isHealthy } from "../../scripts/daemon.ts";
import { findProgram, run, spawn } from "../../scripts/program.ts";

const PROGRAM = findProgram();
const IS_EXECUTABLE = PROGRAM.prefix.length === 0;

interface Place extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly data: string;
  /** A search path without a service manager, Git or a client. */
  readonly path: string;
}

function newPlace(): Place {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-trap-" }));
  const [home, data, path] = [join(root, "home"), join(root, "home/.theurian"), join(root, "bin")];
  for (const directory of [home, data, join(data, "auth")]) {
    Deno.mkdirSync(directory, { mode: 0o700 });
  }
  Deno.mkdirSync(path);
  const dispose = () => Deno.removeSync(root, { recursive: true });
  return { root, home, data, path, [Symbol.dispose]: dispose };
}

async function theurian(place: Place, args: string, env: Record<string, string> = {}) {
  const outcome = await run(PROGRAM, [...args.split(" "), "--json"], {
    cwd: place.root,
    env: { HOME: place.home, PATH: place.path, ...env },
    limitMs: 20_000,
  });
  const document = (text: string) => text === "" ? null : JSON.parse(text);
  return { exit: outcome.exit, out: document(outcome.stdout), err: document(outcome.stderr) };
}

function put(path: string, text: string, mode = 0o600): void {
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, mode);
}

/** Answers with what the daemon logged. */
async function withDaemon(place: Place, work: (daemon: Daemon) => Promise<void>): Promise<string> {
  const options = { port: freePort(), cwd: place.root, home: place.home, path: place.path };
  const daemon = await Daemon.start(PROGRAM, options);
  const worked = await work(daemon).then(() => null, (error) => ({ error }));
  const { code, stderr } = await daemon.stop();
  if (worked !== null) throw worked.error;
  assert.equal(code, 0, stderr);
  return stderr;
}

async function call(daemon: Daemon, name: string, input: Record<string, unknown> = {}) {
  const response = await fetch(`http://127.0.0.1:${daemon.port}/mcp`, {
    method: "POST",
    headers: { "authorization": `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  return (await response.json()).result;
}

Deno.test("a planted lock refuses the start within a second and keeps its target (trap 11)", async (t) => {
  const shapes: Record<string, (lock: string, target: string) => Disposable | void> = {
    "a link to a file": (lock, target) => Deno.symlinkSync(target, lock),
    "a dangling link": (lock) => Deno.symlinkSync("/nowhere/at/all", lock),
    "a pipe": (lock) => void new Deno.Command("mkfifo", { args: [lock] }).outputSync(),
    "a directory": (lock) => Deno.mkdirSync(lock),
    "a pipe with a reader": (lock) => {
      new Deno.Command("mkfifo", { args: [lock] }).outputSync();
      const reader = new Deno.Command("cat", { args: [lock], stdout: "null" }).spawn();
      return {
        [Symbol.dispose]: () => reader.kill("SIGKILL"),
      };
    },
  };
  for (const [shape, plant] of Object.entries(shapes)) {
    await t.step(shape, async () => {
      using place = newPlace();
      const lock = join(place.data, "daemon.lock");
      const target = join(place.root, "target");
      put(target, "precious");
      using _planted = plant(lock, target) ?? { [Symbol.dispose]: () => {} };
      const before = performance.now();
      const { exit, out, err } = await theurian(
        place,
        `daemon start --foreground --port ${freePort()}`,
      );
      assert.ok(performance.now() - before < 3000);
      assert.deepEqual([exit, out], [1, null]);
      assert.deepEqual(Object.keys(err).sort(), ["error", "remedy"]);
      assert.match(err.error, /daemon\.lock/);
      assert.ok(!err.error.includes(place.data) && err.remedy.includes(lock));
      assert.equal(Deno.readTextFileSync(target), "precious");
    });
  }
});

Deno.test("a data directory that cannot be one is a clean refusal (trap 12)", async () => {
  using place = newPlace();
  const start = `daemon start --foreground --port ${freePort()}`;
  const file = join(place.root, "file");
  put(file, "x");
  for (const directory of [file, join(file, "below"), "/proc/theurian"]) {
    const { exit, err } = await theurian(place, start, { THEURIAN_DATA_DIR: directory });
    assert.equal(exit, 1, directory);
    assert.match(err.remedy, /THEURIAN_DATA_DIR/);
  }
  Deno.chmodSync(place.data, 0o722);
  const shared = await theurian(place, start);
  assert.equal(shared.exit, 1);
  assert.match(shared.err.error, /0722/);
});

Deno.test("every faulty serving profile refuses the start with its own fault (trap 33)", async (t) => {
  const rows: readonly (readonly [string, (profile: string, place: Place) => void, RegExp])[] = [
    ["a byte order mark", (p) => put(p, "\ufeffrestricted"), /serving-profile/],
    ["65 bytes", (p) => put(p, `restricted${" ".repeat(55)}`), /64/],
    ["mode 0640", (p) => put(p, "public", 0o640), /0640/],
    ["an unknown word", (p) => put(p, "everything"), /everything/],
    ["nothing", (p) => put(p, " \n"), /empty/],
    ["bytes beyond UTF-8", (p) => {
      Deno.writeFileSync(p, new Uint8Array([0xff, 0xfe]));
      Deno.chmodSync(p, 0o600);
    }, /UTF-8/],
    ["a link to a good file", (p, place) => {
      put(join(place.root, "good"), "public");
      Deno.symlinkSync(join(place.root, "good"), p);
    }, /regular/],
    ["a directory", (p) => Deno.mkdirSync(p), /regular/],
    [
      "a pipe",
      (p) => void new Deno.Command("mkfifo", { args: ["-m", "600", p] }).outputSync(),
      /regular/,
    ],
    ["an open auth directory", (p, place) => {
      put(p, "public");
      Deno.chmodSync(join(place.data, "auth"), 0o750);
    }, /0750/],
  ];
  for (const [what, plant, message] of rows) {
    await t.step(what, async () => {
      using place = newPlace();
      put(join(place.data, "auth/mcp-token"), "k".repeat(43));
      plant(join(place.data, "auth/serving-profile"), place);
      const port = freePort();
      const { exit, err } = await theurian(place, `daemon start --foreground --port ${port}`);
      assert.equal(exit, 1);
      assert.match(err.error, message);
      assert.equal(await isHealthy(port), false);
    });
  }
  await t.step("odd case and white space are accepted", async () => {
    using place = newPlace();
    put(join(place.data, "auth/serving-profile"), " Restricted \n");
    await withDaemon(place, () => Promise.resolve());
  });
});

Deno.test("an exposed or short token refuses the start and stays as it is (traps 6 to 8)", async () => {
  using place = newPlace();
  const token = join(place.data, "auth/mcp-token");
  const start = () => theurian(place, `daemon start --foreground --port ${freePort()}`);
  put(token, "k".repeat(43), 0o644);
  const exposed = await start();
  assert.equal(exposed.exit, 1);
  assert.match(exposed.err.error, /0644/);
  assert.match(exposed.err.remedy, /theurian auth rotate/);
  assert.equal(Deno.statSync(token).mode! & 0o777, 0o644);
  put(token, "short");
  assert.match((await start()).err.remedy, /theurian auth rotate/);
  for (const blank of ["", " \n"]) {
    put(token, blank);
    await withDaemon(place, async (daemon) => {
      assert.match(daemon.token, /^[\w-]{43}$/);
      assert.equal((await call(daemon, "system.capabilities")).isError, false);
    });
  }
});

Deno.test("a linked env file never stops a rotation and is never written through (trap 10)", async () => {
  using place = newPlace();
  const target = join(place.root, "target");
  put(target, "precious");
  Deno.symlinkSync(target, join(place.data, "env"));
  const { exit, out } = await theurian(place, "auth rotate");
  assert.deepEqual([exit, out.rotated], [0, true]);
  assert.ok(out.nextSteps[0].includes(join(place.data, "env")));
  assert.equal(Deno.readTextFileSync(target), "precious");
});

Deno.test({
  name: "setup halts at a dangling env link and creates nothing behind it (trap 37)",
  ignore: !IS_EXECUTABLE,
  async fn() {
    using place = newPlace();
    const target = join(place.root, "planted");
    Deno.symlinkSync(target, join(place.data, "env"));
    const { exit, out, err } = await theurian(place, `setup --port ${freePort()}`);
    assert.deepEqual([exit, err, out.state], [1, null, "halted"]);
    assert.throws(() => Deno.lstatSync(target));
  },
});

Deno.test({
  name: "setup twice converges without a manager, and a dry run writes nothing (traps 34, 35)",
  ignore: !IS_EXECUTABLE,
  async fn() {
    using place = newPlace();
    Deno.removeSync(place.data, { recursive: true });
    const planned = await theurian(place, "setup --dry-run");
    assert.deepEqual([planned.exit, planned.out.state], [0, "plan-built"]);
    assert.throws(() => Deno.statSync(place.data));
    const first = await theurian(place, `setup --port ${freePort()}`);
    assert.deepEqual([first.exit, first.out.state], [0, "degraded"]);
    const second = await theurian(place, `setup --port ${freePort()}`);
    assert.deepEqual([second.exit, second.out.changedPaths], [0, []]);
    const doctor = await theurian(place, `doctor --port ${freePort()}`);
    assert.deepEqual([doctor.exit, doctor.out.healthy], [0, true]);
  },
});

Deno.test("a relative data directory counts from the current one, everywhere (trap 4)", async () => {
  using place = newPlace();
  const env = { THEURIAN_DATA_DIR: "relative/./here/.." };
  const { out } = await theurian(place, `daemon status --port ${freePort()}`, env);
  assert.equal(out.dataDir, join(place.root, "relative"));
});

Deno.test("missing programs leave status one document and a silent stderr (trap 56)", async () => {
  using place = newPlace();
  const { exit, out, err } = await theurian(place, `daemon status --port ${freePort()}`);
  if (!IS_EXECUTABLE) return;
  assert.deepEqual([exit, err, out.state], [0, null, "unknown"]);
});

Deno.test("proxies do not divert a look at the daemon, whatever serves it (traps 15, 16)", async () => {
  using place = newPlace();
  const dead = "http://127.0.0.1:9";
  const env = { HTTP_PROXY: dead, http_proxy: dead, ALL_PROXY: dead };
  await withDaemon(place, async (daemon) => {
    const status = await theurian(place, `daemon status --port ${daemon.port}`, env);
    assert.deepEqual([status.out.listening, status.out.state], [true, "running"]);
    const linked = join(place.root, "linked");
    Deno.symlinkSync(place.data, linked);
    const reused = await theurian(place, `daemon start --foreground --port ${daemon.port}`, {
      ...env,
      THEURIAN_DATA_DIR: linked,
    });
    assert.deepEqual([reused.exit, reused.out.decision], [0, "reuse"]);
    const stale = await theurian(place, `daemon start --foreground --port ${freePort()}`);
    assert.equal(stale.exit, 1);
    assert.match(stale.err.error, /daemon\.lock/);
  });
});

Deno.test("a damaged registry refuses its tools, leaves the rest and heals (trap 46)", async () => {
  using place = newPlace();
  const registry = join(place.data, "projects.json");
  await withDaemon(place, async (daemon) => {
    const status = () => call(daemon, "knowledge.status", { projectId: "demo" });
    const faults: (() => void)[] = [
      () => put(registry, "{bad"),
      () => put(registry, "[]"),
      () => Deno.mkdirSync(registry),
    ];
    for (const plant of faults) {
      plant();
      for (const result of [await status(), await call(daemon, "project.list")]) {
        assert.equal(result.isError, true);
        assert.notEqual(result.content[0].text, "");
      }
      assert.equal(await isHealthy(daemon.port), true);
      assert.equal((await call(daemon, "system.capabilities")).isError, false);
      Deno.removeSync(registry, { recursive: true });
    }
    assert.equal((await call(daemon, "project.list")).isError, false);
  });
});

Deno.test("odd roots are listed as unreadable and never opened (trap 47)", async () => {
  using place = newPlace();
  const entries = Object.fromEntries(
    ["relative", 5, "/proc/self/cwd", "/x/../proc/1/root"].map((rootPath, i) => [
      `p${i}`,
      { rootPath },
    ]),
  );
  put(join(place.data, "projects.json"), JSON.stringify(entries));
  await withDaemon(place, async (daemon) => {
    const { structuredContent } = await call(daemon, "project.list");
    assert.deepEqual(structuredContent.unreadable, ["p0", "p1", "p2", "p3"]);
    assert.equal(structuredContent.count, 0);
  });
});

Deno.test("a project whose state leaves its root is refused alone (trap 49)", async () => {
  using place = newPlace();
  const [good, bad] = ["good", "bad"].map((name) => join(place.root, name));
  for (const root of [good!, bad!]) Deno.mkdirSync(root);
  Deno.mkdirSync(join(place.root, "outside"));
  Deno.symlinkSync(join(place.root, "outside"), join(bad!, ".theurian"));
  put(
    join(place.data, "projects.json"),
    JSON.stringify({ good: { rootPath: good }, bad: { rootPath: bad } }),
  );
  await withDaemon(place, async (daemon) => {
    const text = async (projectId: string) =>
      (await call(daemon, "knowledge.status", { projectId })).content[0].text;
    const escape = await text("bad");
    assert.ok(!escape.includes("outside"));
    assert.notEqual(escape, await text("good"));
    assert.match(await text("good"), /migrate apply/);
  });
});

Deno.test("the log of a busy session holds no token, query, body or header (trap 54)", async () => {
  using place = newPlace();
  let token = "";
  const log = await withDaemon(place, async (daemon) => {
    token = daemon.token;
    await call(daemon, "knowledge.status", { projectId: "secret-project", extra: "hunter2" });
    await call(daemon, "knowledge.get", { projectId: "secret-project", itemId: "hunter2" });
    await call(daemon, "no-such-tool-hunter2");
    const { body } = await fetch(`http://127.0.0.1:${daemon.port}/mcp`, {
      method: "POST",
      headers: { authorization: "Bearer hunter2" },
      body: "hunter2",
    });
    await body?.cancel();
    put(join(place.data, "auth/mcp-token"), "short");
    await call(daemon, "system.capabilities").catch(() => null);
  });
  for (const word of [token, "hunter2", "secret-project", "Bearer", "short"]) {
    assert.ok(!log.includes(word), `${word} in ${log}`);
  }
  for (const line of log.trim().split("\n").filter((text) => text !== "")) {
    assert.deepEqual(Object.keys(JSON.parse(line)).slice(0, 3), ["ts", "level", "event"]);
  }
});

Deno.test("a daemon that is killed leaves nothing a next start would stumble over", async () => {
  using place = newPlace();
  const port = freePort();
  const args = ["daemon", "start", "--foreground", "--port", String(port)];
  const env = { HOME: place.home, PATH: place.path };
  const child = spawn(PROGRAM, args, { cwd: place.root, env });
  while (!await isHealthy(port)) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await child.output();
  const options = { port, cwd: place.root, home: place.home, path: place.path };
  const next = await Daemon.start(PROGRAM, options);
  assert.equal((await next.stop()).code, 0);
});
