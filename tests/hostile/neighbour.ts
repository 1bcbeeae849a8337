/**
 * What hostile clients must not change: a well-behaved client is served in time, the process neither
 * grows nor keeps what they opened.
 *
 * @module
 */

import assert from "node:assert/strict";
import { McpConnection } from "../../scripts/bench_http.ts";
import type { Daemon } from "../../scripts/daemon.ts";

/** What the process holds. */
export interface Holdings {
  /** Bytes of memory. */
  readonly memory: number;
  readonly descriptors: number;
}

/** Reads what a process holds; only where the system tells. */
export function holdingsOf(pid: number): Holdings | null {
  if (Deno.build.os !== "linux") return null;
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const memory = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024;
  return { memory, descriptors: [...Deno.readDirSync(`/proc/${pid}/fd`)].length };
}

/** The times of a neighbour's calls, in milliseconds, sorted. */
export type Times = readonly number[];

/** Calls all the while `hostile` works, at least ten times; throws when one call is refused. */
export async function neighbourOf(
  { port, token }: Daemon,
  hostile: () => Promise<void>,
): Promise<Times> {
  let over = false;
  const work = hostile().finally(() => over = true);
  work.catch(() => {}); // Awaited below, whatever happens to the calls meanwhile.
  const times: number[] = [];
  try {
    while (!over || times.length < 10) {
      const client = await McpConnection.open(port, token);
      times.push(await client.time("knowledge.search", { projectId: "demo", query: "retry" }));
      client.close();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  } finally {
    await work;
  }
  return times.sort((a, b) => a - b);
}

/** The machine may be busy with other tests: half of the calls are fast, none is hopeless. */
export function assertServed(times: Times): void {
  const [middle, worst] = [times[times.length >> 1]!, times.at(-1)!];
  assert.ok(middle < 250, `half of the calls took more than ${middle} ms`);
  assert.ok(worst < 5000, `one call took ${worst} ms`);
}

/** Waits until the process holds about what it held before; fails after ten seconds. */
export async function assertReleased(
  pid: number,
  before: Holdings | null,
  growth: number,
): Promise<void> {
  if (before === null) return;
  const deadline = Date.now() + 10_000;
  for (;;) {
    const now = holdingsOf(pid)!;
    const extra = now.memory - before.memory;
    const kept = now.descriptors - before.descriptors;
    if (extra < growth && kept <= 8) return;
    assert.ok(Date.now() < deadline, `keeps ${kept} descriptors and ${extra >> 20} MiB more`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
