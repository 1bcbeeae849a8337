import assert from "node:assert/strict";
import { startToolWorker } from "./_start_tool_worker.ts";
import { type PoolLimits, WorkerPool } from "./_worker_pool.ts";
import type { Job, Outcome } from "./_worker_protocol.ts";

const WORKER = new URL("./_testing/worker.ts", import.meta.url);
const LIMITS: PoolLimits = {
  threads: 4,
  overdueMs: 30_000,
  overdueThreads: 4,
  idleMs: 60_000,
  spareIdleMs: 60_000,
};

function poolOf(limits: Partial<PoolLimits> = {}, write: readonly string[] = []) {
  const pool = new WorkerPool(() => startToolWorker(WORKER, { write }), { ...LIMITS, ...limits });
  return { pool, [Symbol.dispose]: () => pool.close() };
}

function job(tool: string, input: Job["input"] = {}): Job {
  return {
    tool,
    step: "whole",
    input,
    context: {
      dataDirectory: "/nowhere",
      grant: { tenantId: "local", sensitivities: ["public"] },
      toolNames: [tool],
    },
  };
}

function payload(outcome: Outcome) {
  assert.equal(outcome.kind, "result");
  return JSON.parse((outcome as { json: string }).json).structuredContent;
}

Deno.test("WorkerPool starts threads on demand and uses them again", async () => {
  using held = poolOf();
  const { pool } = held;
  assert.equal(pool.size, 0);
  const first = await pool.run(job("test.echo", { a: 1 }));
  assert.deepEqual(payload(first), { given: { a: 1 }, served: ["public"] });
  await pool.run(job("test.echo"));
  assert.equal(pool.size, 1);
  await Promise.all([1, 2, 3].map(() => pool.run(job("test.slow", { milliseconds: 50 }))));
  assert.equal(pool.size, 3);
});

Deno.test("WorkerPool answers each job in its own context, whatever the thread was given before", async () => {
  using held = poolOf();
  const servedBy = async (sensitivities: readonly ("public" | "internal")[], again = 1) => {
    const one = job("test.echo");
    const context = { ...one.context, grant: { ...one.context.grant, sensitivities } };
    let served: unknown;
    for (let i = 0; i < again; i++) {
      served = payload(await held.pool.run({ ...one, context })).served;
    }
    return served;
  };
  assert.deepEqual(await servedBy(["public", "internal"], 3), ["public", "internal"]);
  assert.deepEqual(await servedBy(["public"], 2), ["public"]);
  assert.deepEqual(await servedBy([]), []);
  assert.deepEqual(await servedBy(["internal"]), ["internal"]);
  assert.equal(held.pool.size, 1);
});

/** Holds threads until it is released or left: what a test compares then is order, not time. */
function holder() {
  const folder = Deno.makeTempDirSync({ prefix: "daemon-hold-" });
  const until = `${folder}/released`;
  return {
    until,
    release: () => Deno.writeTextFileSync(until, ""),
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}

Deno.test("WorkerPool keeps to its threads, yet gives a tool that none runs one of its own", async () => {
  using hold = holder();
  using held = poolOf({ threads: 2 });
  const { pool } = held;
  const slow = [1, 2, 3].map(() => pool.run(job("test.slow", { until: hold.until })));
  assert.equal(pool.size, 2);
  await pool.run(job("test.otherSlow"));
  assert.equal(pool.size, 3);
  hold.release();
  await Promise.all(slow);
  assert.equal(pool.size, 3);
});

Deno.test("WorkerPool leaves the main thread free while its threads block", async () => {
  using hold = holder();
  using held = poolOf({ threads: 2 });
  const slow = [1, 2].map(() => held.pool.run(job("test.slow", { until: hold.until })));
  // A blocked main thread would never come to release them.
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 1));
  hold.release();
  await Promise.all(slow);
});

Deno.test("WorkerPool answers a dead thread's job as a defect and replaces the thread", async () => {
  using held = poolOf();
  const { pool } = held;
  const outcome = await pool.run(job("test.broken", { how: "die" }));
  assert.ok(outcome.kind === "defect");
  assert.equal(outcome.what, "Error");
  assert.ok(!outcome.frames.includes("fell over"));
  assert.equal(pool.size, 0);
  assert.deepEqual(payload(await pool.run(job("test.echo"))), { given: {}, served: ["public"] });
});

Deno.test("WorkerPool answers as a defect what a thread that cannot start was given", async () => {
  const missing = new URL("./_testing/no_such_worker.ts", import.meta.url);
  const pool = new WorkerPool(() => startToolWorker(missing, { write: [] }), LIMITS);
  const outcome = await pool.run(job("test.echo"));
  assert.deepEqual(outcome, { kind: "defect", what: "worker-died", frames: "" });
  pool.close();
});

Deno.test("WorkerPool reports an unexpected exception without its values", async () => {
  using held = poolOf();
  const outcome = await held.pool.run(job("test.broken", { secret: "hunter2" }));
  assert.equal(outcome.kind, "defect");
  assert.ok(!JSON.stringify(outcome).includes("hunter2"));
  assert.match(JSON.stringify(outcome), /tools\.ts/);
});

Deno.test("WorkerPool lets another thread work when one is overdue", async () => {
  using hold = holder();
  using held = poolOf({ threads: 1, overdueMs: 40, overdueThreads: 1 });
  const { pool } = held;
  const stuck = pool.run(job("test.slow", { until: hold.until }));
  const next = await pool.run(job("test.slow", { milliseconds: 1 }));
  assert.deepEqual(payload(next), { slept: 1 });
  hold.release();
  assert.deepEqual(payload(await stuck), { slept: 0 });
});

Deno.test("WorkerPool leaves so many overdue threads behind, and no more", async () => {
  using hold = holder();
  using held = poolOf({ threads: 1, overdueMs: 20, overdueThreads: 1 });
  const { pool } = held;
  const stuck = [1, 2, 3].map(() => pool.run(job("test.slow", { until: hold.until })));
  await becomes(pool, 2);
  // The second is overdue too by now, and yet the third waits.
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(pool.size, 2);
  hold.release();
  for (const outcome of await Promise.all(stuck)) assert.deepEqual(payload(outcome), { slept: 0 });
});

/** Waits for a pool's size; a busy machine may be late with timers. */
async function becomes(pool: WorkerPool, size: number): Promise<void> {
  const deadline = performance.now() + 5000;
  while (pool.size !== size && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.equal(pool.size, size);
}

Deno.test("WorkerPool ends a thread that idles", async () => {
  using held = poolOf({ idleMs: 30 });
  const { pool } = held;
  await pool.run(job("test.echo"));
  assert.equal(pool.size, 1);
  await becomes(pool, 0);
});

Deno.test("WorkerPool ends the threads of a burst soon and keeps one", async () => {
  using held = poolOf({ spareIdleMs: 30 });
  const { pool } = held;
  const burst = [1, 2, 3].map(() => pool.run(job("test.slow", { milliseconds: 20 })));
  assert.equal(pool.size, 3);
  await Promise.all(burst);
  await becomes(pool, 1);
  await pool.run(job("test.echo"));
  assert.equal(pool.size, 1);
});

Deno.test("WorkerPool renews its threads without losing a job", async () => {
  let started = 0;
  const pool = new WorkerPool(() => {
    started++;
    return startToolWorker(WORKER, { write: [] });
  }, { ...LIMITS, threads: 1 });
  const running = pool.run(job("test.slow", { milliseconds: 60 }));
  pool.renew();
  const next = pool.run(job("test.slow", { milliseconds: 1 }));
  assert.deepEqual(payload(await running), { slept: 60 });
  assert.deepEqual(payload(await next), { slept: 1 });
  assert.equal(started, 2);
  pool.renew();
  assert.equal(pool.size, 0);
  pool.close();
});

Deno.test("WorkerPool answers what is unfinished when it closes", async () => {
  const { pool } = poolOf({ threads: 1 });
  const running = pool.run(job("test.slow", { milliseconds: 5000 }));
  const waiting = pool.run(job("test.slow", { milliseconds: 1 }));
  pool.close();
  assert.equal((await running).kind, "defect");
  assert.equal((await waiting).kind, "defect");
  assert.equal((await pool.run(job("test.echo"))).kind, "defect");
});

Deno.test("a tool's thread reads, writes where it may, and can reach nothing else", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "daemon-reach-" });
  try {
    const inside = `${directory}/inside`;
    Deno.mkdirSync(inside);
    Deno.writeTextFileSync(`${inside}/file`, "text");
    Deno.writeTextFileSync(`${directory}/outside`, "text");
    const refused = async (path: string, write: readonly string[]) => {
      using held = poolOf({}, write);
      return (payload(await held.pool.run(job("test.reach", { path }))) as {
        refused: string[];
      }).refused;
    };
    assert.deepEqual(await refused(`${inside}/file`, [inside]), ["net", "run", "env", "sys"]);
    const always = ["net", "run", "env", "sys", "write"];
    assert.deepEqual(await refused(`${inside}/file`, []), always);
    assert.deepEqual(await refused(`${directory}/outside`, [inside]), always);
    assert.equal(Deno.readTextFileSync(`${directory}/outside`), "text");
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});
