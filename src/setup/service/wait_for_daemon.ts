import { type HealthAnswer, probeHealth } from "../../daemon/mod.ts";

/** Longest wait for a started daemon, in milliseconds, and the pause between two looks. */
export const START_WAIT_MS = 15_000;
const PAUSE_MS = 200;

/** The answer of the daemon at a port, waited for; `null` when it never came. */
export async function waitForDaemon(
  port: number,
  waitMs: number = START_WAIT_MS,
): Promise<HealthAnswer | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const health = await probeHealth(port);
    if (health !== null || performance.now() >= deadline) return health;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
