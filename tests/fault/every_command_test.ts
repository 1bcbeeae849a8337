/**
 * Every command that writes, failed and killed at its steps: what was served is served, nothing is
 * lost, and running it again ends well. The suite samples the steps, since this takes its time;
 * THEURIAN_FAULT_STEPS=all takes every one (`deno task soak` does).
 *
 * @module
 */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { setWritePointHook, type WriteStep } from "../../src/platform/files/_write_points.ts";
import {
  assertStands,
  ELSEWHERE,
  leftovers,
  newPlace,
  type Place,
  type Stage,
  STAGES,
  writingCommands,
} from "./command_stages.ts";

const STOPPER = fileURLToPath(new URL("../support/command_until_stopped.ts", import.meta.url));
const EVERY_STEP = Deno.env.get("THEURIAN_FAULT_STEPS") === "all";
/** Steps of one command that are failed, and at which it is killed. */
const FAILS = EVERY_STEP ? Infinity : 6;
const KILLS = EVERY_STEP ? Infinity : 2;

function copyTree(from: string, to: string): void {
  const { success } = new Deno.Command("cp", { args: ["-a", from, to] }).outputSync();
  assert.ok(success);
}

/** A place that is as it was, each time it is asked for. */
async function stagedPlace(stage: Stage): Promise<{ place: Place; reset: () => void }> {
  const place = await newPlace();
  await stage.prepare?.(place);
  const { folder } = place.repository;
  copyTree(folder, `${folder}.kept`);
  const reset = () => {
    Deno.removeSync(folder, { recursive: true });
    copyTree(`${folder}.kept`, folder);
  };
  return { place, reset };
}

async function lineOf(stage: Stage, place: Place): Promise<string[]> {
  return [...stage.command.split(" "), ...await stage.options?.(place) ?? []];
}

/** Runs to the end with a hook at every step; answers how many steps there are. */
async function withSteps(
  work: () => Promise<unknown>,
  at: (count: number, step: WriteStep) => void,
): Promise<number> {
  let count = 0;
  setWritePointHook((step) => at(++count, step));
  try {
    await work();
  } finally {
    setWritePointHook(null);
  }
  return count;
}

async function finishes(stage: Stage, place: Place, what: string): Promise<void> {
  await assertStands(place, stage.changes).catch((error) => {
    throw new Error(`${stage.command}, ${what}: ${error.message}`);
  });
  const { exit, stderr } = await place.run(...await lineOf(stage, place));
  assert.ok(
    (stage.again ?? [0]).includes(exit),
    `${stage.command} after ${what}: ${exit} ${stderr}`,
  );
  await assertStands(place, stage.changes);
  await stage.done(place);
}

/** At most `most` of the steps, the first and the last among them. */
function sample(steps: number, most: number): number[] {
  if (steps <= most) return Array.from({ length: steps }, (_, n) => n + 1);
  const stride = (steps - 1) / (most - 1);
  return Array.from({ length: most }, (_, n) => Math.round(1 + n * stride));
}

function cacheDirectory(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

async function killAt(place: Place, line: readonly string[], step: number): Promise<void> {
  const { code, signal, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "-A", STOPPER, String(step), "kill", ...line, "--json"],
    cwd: place.repository.root,
    // The runtime finds its cache of libraries through the home directory.
    env: { ...place.environment, DENO_DIR: cacheDirectory() },
  }).output();
  assert.ok(signal === "SIGKILL" || code === 0, new TextDecoder().decode(stderr));
}

for (const stage of STAGES) {
  Deno.test(`${stage.command}: stopped at any step of writing, nothing is lost and it ends well`, async () => {
    const { place, reset } = await stagedPlace(stage);
    try {
      const line = await lineOf(stage, place);
      const steps = await withSteps(async () => {
        const { exit, stderr } = await place.run(...line);
        assert.equal(exit, 0, stderr);
      }, () => {});
      assert.ok(steps > 0, "it writes nothing");
      await stage.done(place);
      assert.deepEqual(leftovers(place), []);
      for (const failing of sample(steps, FAILS)) {
        reset();
        let met: WriteStep | null = null;
        await withSteps(() => place.run(...line), (count, step) => {
          if (count !== failing || step === "remove") return;
          met = step;
          throw Object.assign(new Error("no space"), { code: "ENOSPC" });
        });
        if (met === null) continue;
        assert.deepEqual(leftovers(place), [], `a full disk at step ${failing}, ${met}`);
        await finishes(stage, place, `a full disk at step ${failing}, ${met}`);
      }
      for (const step of sample(steps, KILLS)) {
        reset();
        await killAt(place, line, step);
        await finishes(stage, place, `a kill at step ${step}`);
      }
    } finally {
      Deno.removeSync(place.repository.folder, { recursive: true });
      Deno.removeSync(`${place.repository.folder}.kept`, { recursive: true });
    }
  });
}

Deno.test("every command that may write is stopped by a test", async () => {
  const root = new URL("../../", import.meta.url);
  const held = [...STAGES.map(({ command }) => command), ...Object.keys(ELSEWHERE)];
  assert.deepEqual((await writingCommands()).sort(), held.sort());
  for (const path of Object.values(ELSEWHERE)) Deno.statSync(new URL(path, root));
});
