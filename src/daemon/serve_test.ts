import assert from "node:assert/strict";
import { join } from "node:path";
import { grantFlags } from "../platform/grants.ts";
import { IMPLEMENTATION } from "./health.ts";
import { probeHealth } from "./probe.ts";

const PROGRAM = new URL("./_testing/program.ts", import.meta.url).pathname;

interface Running {
  readonly port: number;
  readonly child: Deno.ChildProcess;
  /** Everything after the first line, when the process has ended. */
  end(): Promise<{ code: number; signal: Deno.Signal | null; out: string; err: string }>;
}

/** Runs the program under the flags that ship, never under all of them. */
function spawn(dataDirectory: string, port: number): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", ...grantFlags(), PROGRAM, dataDirectory, String(port)],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function start(dataDirectory: string, port: number): Promise<Running> {
  const child = spawn(dataDirectory, port);
  const err = new Response(child.stderr).text();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let out = "";
  while (!out.includes("\n")) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`did not start: ${await err}`);
    out += value;
  }
  return {
    port: Number(/^serving (\d+)/.exec(out)?.[1]),
    child,
    async end() {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        out += value;
      }
      const { code, signal } = await child.status;
      return { code, signal, out: out.slice(out.indexOf("\n") + 1), err: await err };
    },
  };
}

async function run(dataDirectory: string, port: number) {
  const child = spawn(dataDirectory, port);
  const [out, err, { code }] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.status,
  ]);
  return { code, out, err };
}

async function withDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-serve-" }));
  Deno.chmodSync(directory, 0o700);
  Deno.writeTextFileSync(join(directory, "profile"), "internal");
  try {
    await work(directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function tokenOf(directory: string): string {
  return Deno.readTextFileSync(join(directory, "auth", "mcp-token"));
}

async function call(port: number, token: string, name: string, input: unknown = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: { "authorization": `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input },
    }),
  });
  const text = await response.text();
  return { status: response.status, result: response.ok ? JSON.parse(text).result : null };
}

Deno.test("a daemon serves, follows a rotation, and stops cleanly on SIGTERM", async () => {
  await withDirectory(async (directory) => {
    const port = freePort();
    const daemon = await start(directory, port);
    const health = await probeHealth(port);
    assert.equal(health?.implementation, IMPLEMENTATION);
    assert.equal(health.dataDir, directory);
    const first = tokenOf(directory);
    const echoed = await call(port, first, "test.echo", { a: 1 });
    assert.deepEqual(echoed.result.structuredContent, { given: { a: 1 }, served: ["internal"] });
    const second = "n".repeat(43);
    Deno.writeTextFileSync(join(directory, "auth", "new"), second, { mode: 0o600 });
    Deno.renameSync(join(directory, "auth", "new"), join(directory, "auth", "mcp-token"));
    assert.equal((await call(port, first, "test.echo")).status, 401);
    assert.equal((await call(port, second, "test.echo")).status, 200);
    assert.match(Deno.readTextFileSync(join(directory, "daemon.lock")), /^\{"pid":\d+\}\n$/);
    assert.equal(Deno.statSync(join(directory, "daemon.lock")).mode! & 0o777, 0o600);
    daemon.child.kill("SIGTERM");
    const ended = await daemon.end();
    assert.deepEqual([ended.code, ended.out], [0, '{"decision":"start","exit":0}\n']);
    assert.equal(ended.err, "");
    const again = await start(directory, port);
    assert.equal(again.port, port);
    again.child.kill("SIGINT");
    assert.equal((await again.end()).code, 0);
  });
});

Deno.test("a stop lets the call in flight answer, and a start right after succeeds", async () => {
  await withDirectory(async (directory) => {
    const port = freePort();
    const daemon = await start(directory, port);
    const slow = call(port, tokenOf(directory), "test.slow", { milliseconds: 700 });
    await new Promise((resolve) => setTimeout(resolve, 250));
    daemon.child.kill("SIGTERM");
    assert.deepEqual((await slow).result.structuredContent, { slept: 700 });
    assert.equal((await daemon.end()).code, 0);
    const again = await start(directory, port);
    again.child.kill("SIGTERM");
    assert.equal((await again.end()).code, 0);
  });
});

Deno.test("a stop gives a call in flight so many seconds, and then ends cleanly without it", async () => {
  await withDirectory(async (directory) => {
    const port = freePort();
    const daemon = await start(directory, port);
    const slow = call(port, tokenOf(directory), "test.slow", { milliseconds: 20_000 })
      .catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, 250));
    daemon.child.kill("SIGTERM");
    assert.equal((await daemon.end()).code, 0);
    assert.equal(await slow, null);
  });
});

Deno.test("a second signal does not wait for the calls in flight", async () => {
  await withDirectory(async (directory) => {
    const port = freePort();
    const daemon = await start(directory, port);
    const slow = call(port, tokenOf(directory), "test.slow", { milliseconds: 20_000 })
      .catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, 250));
    const before = performance.now();
    daemon.child.kill("SIGTERM");
    await new Promise((resolve) => setTimeout(resolve, 150));
    daemon.child.kill("SIGINT");
    assert.equal((await daemon.end()).code, 130);
    assert.ok(performance.now() - before < 2000);
    assert.equal(await slow, null);
  });
});

Deno.test("SIGHUP reloads the serving profile; a bad one refuses every call until mended", async () => {
  await withDirectory(async (directory) => {
    const daemon = await start(directory, freePort());
    const token = tokenOf(directory);
    const served = async (word: string) => {
      Deno.writeTextFileSync(join(directory, "profile"), word);
      daemon.child.kill("SIGHUP");
      await new Promise((resolve) => setTimeout(resolve, 200));
      return (await call(daemon.port, token, "test.echo")).result;
    };
    assert.deepEqual((await served("public")).structuredContent.served, ["public"]);
    assert.equal((await served("bad")).isError, true);
    assert.deepEqual((await served("restricted")).structuredContent.served, ["restricted"]);
    daemon.child.kill("SIGTERM");
    const { code, err } = await daemon.end();
    assert.equal(code, 0);
    assert.equal(JSON.parse(err).event, "serving-profile-unusable");
  });
});

Deno.test("of five starts at once one serves and four find it", async () => {
  await withDirectory(async (directory) => {
    const port = freePort();
    const children = [1, 2, 3, 4, 5].map(() => spawn(directory, port));
    const outs = children.map((child) => new Response(child.stdout).text());
    const errs = children.map((child) => new Response(child.stderr).text());
    let ended = 0;
    const statuses = children.map((child) => child.status.then((one) => (ended++, one)));
    while (ended < 4) await pause(20);
    for (const child of children) {
      try {
        child.kill("SIGTERM"); // Reaches only the one that serves.
      } catch {
        // It has ended.
      }
    }
    const done = await Promise.all(statuses.map(async (status, i) => {
      return { code: (await status).code, out: await outs[i], err: await errs[i] };
    }));
    assert.deepEqual(done.map(({ code }) => code), [0, 0, 0, 0, 0], JSON.stringify(done));
    const decisions = done.map(({ out }) => /"decision":"(\w+)"/.exec(out ?? "")?.[1]).sort();
    assert.deepEqual(decisions, ["reuse", "reuse", "reuse", "reuse", "start"]);
  });
});

Deno.test("a second daemon of one data directory on another port is refused as stale", async () => {
  await withDirectory(async (directory) => {
    const daemon = await start(directory, freePort());
    const other = await run(directory, freePort());
    assert.equal(other.code, 1);
    assert.match(other.err, /daemon-conflict.*daemon\.lock/);
    daemon.child.kill("SIGTERM");
    await daemon.end();
  });
});

Deno.test("a linked data directory counts as the same one", async () => {
  await withDirectory(async (directory) => {
    const real = join(directory, "real");
    Deno.mkdirSync(real, { mode: 0o700 });
    Deno.writeTextFileSync(join(real, "profile"), "public");
    Deno.symlinkSync(real, join(directory, "link"));
    const daemon = await start(real, freePort());
    const other = await run(join(directory, "link"), daemon.port);
    assert.deepEqual([other.code, other.out], [0, '{"decision":"reuse","exit":0}\n']);
    daemon.child.kill("SIGTERM");
    await daemon.end();
  });
});

Deno.test("a port in foreign hands is a conflict, and the lock is free afterwards", async () => {
  await withDirectory(async (directory) => {
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => Response.json({}),
    );
    const refused = await run(directory, server.addr.port);
    await server.shutdown();
    assert.equal(refused.code, 1);
    assert.match(refused.err, /daemon-conflict.*foreign process/);
    const daemon = await start(directory, freePort());
    daemon.child.kill("SIGTERM");
    assert.equal((await daemon.end()).code, 0);
  });
});

Deno.test("another implementation's daemon on the port is never reused", async () => {
  await withDirectory(async (directory) => {
    const health = { status: "ok", version: "0.5.3", protocolVersion: "theurian/v1" };
    const server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => Response.json({ ...health, dataDir: directory }),
    );
    const refused = await run(directory, server.addr.port);
    await server.shutdown();
    assert.equal(refused.code, 1);
    assert.match(refused.err, /another implementation's.*0\.5\.3/);
  });
});

Deno.test("a lock that is a link, a pipe or a directory refuses the start at once", async (t) => {
  const shapes: Record<string, (lock: string, target: string) => void> = {
    link: (lock, target) => Deno.symlinkSync(target, lock),
    "dangling link": (lock) => Deno.symlinkSync("/nowhere/at/all", lock),
    pipe: (lock) => new Deno.Command("mkfifo", { args: [lock] }).outputSync(),
    directory: (lock) => Deno.mkdirSync(lock),
  };
  for (const [shape, plant] of Object.entries(shapes)) {
    await t.step(shape, async () => {
      await withDirectory(async (directory) => {
        const lock = join(directory, "daemon.lock");
        const target = join(directory, "target");
        Deno.writeTextFileSync(target, "precious");
        plant(lock, target);
        const before = performance.now();
        const refused = await run(directory, freePort());
        assert.ok(performance.now() - before < 3000);
        assert.equal(refused.code, 1, refused.err);
        const { message, remedy } = JSON.parse(refused.err);
        assert.match(message, /daemon\.lock/);
        assert.ok(!message.includes(directory));
        assert.ok(remedy.includes(lock));
        assert.equal(Deno.readTextFileSync(target), "precious");
      });
    });
  }
});

Deno.test("a bad token, a bad profile and bad schemas refuse the start; nothing is served (trap 30)", async (t) => {
  const faults: Record<string, (token: string, directory: string) => void> = {
    "a mode of 0644": (token) => {
      Deno.writeTextFileSync(token, "k".repeat(43));
      Deno.chmodSync(token, 0o644);
    },
    "five characters": (token) => Deno.writeTextFileSync(token, "short", { mode: 0o600 }),
    "a link": (token, directory) => {
      Deno.writeTextFileSync(join(directory, "target"), "k".repeat(43), { mode: 0o600 });
      Deno.symlinkSync(join(directory, "target"), token);
    },
    "a bad profile": (_token, directory) =>
      Deno.writeTextFileSync(join(directory, "profile"), "bad"),
    "published schemas at fault": (_token, directory) =>
      Deno.writeTextFileSync(join(directory, "profile"), "restricted, broken schemas"),
  };
  for (const [what, plant] of Object.entries(faults)) {
    await t.step(what, async () => {
      await withDirectory(async (directory) => {
        Deno.mkdirSync(join(directory, "auth"), { mode: 0o700 });
        plant(join(directory, "auth", "mcp-token"), directory);
        const port = freePort();
        const refused = await run(directory, port);
        assert.equal(refused.code, 1);
        assert.match(
          refused.err,
          /"fault":"(token-unusable|serving-profile-invalid|schema-set-invalid)"/,
        );
        assert.doesNotMatch(refused.err, /"event"/);
        assert.equal(await probeHealth(port), null);
      });
    });
  }
});

/** The best of five looks, in milliseconds: a busy machine may delay any one of them. */
async function quickestHealth(port: number): Promise<number> {
  let quickest = Infinity;
  for (let look = 0; look < 5; look++) {
    const asked = performance.now();
    assert.notEqual(await probeHealth(port), null);
    quickest = Math.min(quickest, performance.now() - asked);
  }
  return quickest;
}

Deno.test("five searches at once: four run, the fifth is refused after a second", async () => {
  await withDirectory(async (directory) => {
    const daemon = await start(directory, freePort());
    const token = tokenOf(directory);
    const slow = (name: string) => call(daemon.port, token, name, { milliseconds: 2500 });
    await call(daemon.port, token, "test.slow");
    const four = [1, 2, 3, 4].map(() => slow("test.slow"));
    await new Promise((resolve) => setTimeout(resolve, 150));
    const before = performance.now();
    const fifth = slow("test.slow");
    const asked = call(daemon.port, token, "test.slow", { query: "" });
    const first = await Promise.race([fifth.then(() => "fifth"), asked.then(() => "blank")]);
    assert.equal(first, "blank", "a blank query waits for nothing");
    const blank = await asked;
    assert.equal(blank.result._meta["dev.theurian/error"].code, "INVALID_INPUT");
    assert.ok(await quickestHealth(daemon.port) < 50, "health answers while four searches run");
    const echoed = await call(daemon.port, token, "test.echo");
    assert.equal(echoed.result.isError, false);
    const other = await call(daemon.port, token, "test.otherSlow", { milliseconds: 1 });
    assert.deepEqual(other.result.structuredContent, { slept: 1 });
    const refused = (await fifth).result;
    assert.ok(performance.now() - before > 900);
    assert.deepEqual(refused._meta["dev.theurian/error"], {
      code: null,
      details: null,
      retryAfterSeconds: 1,
    });
    assert.match(refused.content[0].text, /\b4\b/);
    for (const { result } of await Promise.all(four)) assert.equal(result.isError, false);
    daemon.child.kill("SIGTERM");
    assert.equal((await daemon.end()).code, 0);
  });
});

Deno.test("a client that goes away in the middle of a call or a body harms nobody", async () => {
  await withDirectory(async (directory) => {
    const daemon = await start(directory, freePort());
    const token = tokenOf(directory);
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${daemon.port}\r\n` +
      `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "test.slow", arguments: { milliseconds: 300 } },
    });
    for (const sent of [body, body.slice(0, 20), ""]) {
      using connection = await Deno.connect({ hostname: "127.0.0.1", port: daemon.port });
      const text = `${head}Content-Length: ${body.length}\r\n\r\n${sent}`;
      await connection.write(new TextEncoder().encode(text));
      await pause(50);
    }
    await pause(400);
    assert.equal((await call(daemon.port, token, "test.echo")).result.isError, false);
    daemon.child.kill("SIGTERM");
    const { code, err } = await daemon.end();
    assert.deepEqual([code, err], [0, ""]);
  });
});

Deno.test("a thread that falls over costs one refusal and a log line without values", async () => {
  await withDirectory(async (directory) => {
    const daemon = await start(directory, freePort());
    const token = tokenOf(directory);
    const broken = await call(daemon.port, token, "test.broken", { how: "die" });
    assert.equal(broken.result.isError, true);
    const thrown = await call(daemon.port, token, "test.broken", { secret: "hunter2" });
    assert.deepEqual(thrown.result, broken.result);
    assert.equal((await call(daemon.port, token, "test.echo")).result.isError, false);
    daemon.child.kill("SIGTERM");
    const { err } = await daemon.end();
    const lines = err.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ event }) => event), ["tool-defect", "tool-defect"]);
    assert.ok(!err.includes("hunter2") && !err.includes("fell over") && !err.includes(token));
  });
});
