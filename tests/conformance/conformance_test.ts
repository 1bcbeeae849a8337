/**
 * The protocol's official conformance suite against the program, in every revision the suite knows.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { ServedProject } from "../support/served_project.ts";
import { fetched, NODE, runProgram, withRunner } from "./runners.ts";
import { APPLYING, LEFT_OUT, OUTSIDE } from "./scenarios.ts";
import { startTokenProxy } from "./token_proxy.ts";

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

const REVISIONS: Readonly<Record<string, readonly string[]>> = {
  "conformance-stable": ["2025-06-18", "2025-11-25"],
  "conformance-next": ["2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"],
};

/** Fewest checks that must hold, so that a suite which stopped asking is noticed. */
const AT_LEAST: Readonly<Record<string, number>> = {
  "conformance-stable": 8,
  "conformance-next": 70,
};

for (const [suite, revisions] of Object.entries(REVISIONS)) {
  const script = `node_modules/${suite}/dist/index.js`;
  withRunner(
    `the official suite finds nothing wrong (${suite})`,
    ["node_modules/.bin/node", script],
    async (t) => {
      await using served = await ServedProject.start();
      const { port, token } = served.daemon;
      await using proxy = await startTokenProxy(port, token);
      let held = 0;
      for (const revision of revisions) {
        await t.step(revision, async () => {
          const out = join(served.repository.folder, `checks-${revision}`);
          Deno.mkdirSync(out);
          const args = ["server", "--url", proxy.url, "--suite", "all", "-o", out];
          await runProgram(
            NODE!,
            [fetched(script)!, ...args, "--spec-version", revision],
            served.home,
          );
          const { faults, good } = judge(out);
          assert.deepEqual(faults, []);
          held += good;
        });
      }
      assert.ok(held >= AT_LEAST[suite]!, `only ${held} checks held`);
    },
  );
}

/** Reads the checks that a run left; counts the good ones of the scenarios that apply. */
function judge(out: string): { faults: string[]; good: number } {
  const faults: string[] = [];
  let good = 0;
  for (const { name } of Deno.readDirSync(out)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(name)?.[1] ?? name;
    const applies = APPLYING.includes(scenario);
    if (!applies && !OUTSIDE.some(([pattern]) => pattern.test(scenario))) {
      faults.push(`${scenario}: a scenario that nobody has judged`);
    }
    for (const check of JSON.parse(Deno.readTextFileSync(join(out, name, "checks.json")))) {
      const { id, status, errorMessage } = check as Check;
      if (status === "SUCCESS" && applies) good++;
      const matters = id === "wire-schema-valid" || applies && !(id in LEFT_OUT);
      if (matters && status === "FAILURE") faults.push(`${scenario}: ${id}: ${errorMessage}`);
    }
  }
  return { faults, good };
}
