/**
 * A few seconds of every target, from a fixed seed, so that the suite is the same each time;
 * `deno task soak` goes on for longer from other seeds. THEURIAN_FUZZ_SECONDS and THEURIAN_FUZZ_SEED
 * choose otherwise.
 *
 * @module
 */

import { fuzz } from "./fuzz.ts";
import { TARGETS } from "./targets.ts";

const SEED = Number(Deno.env.get("THEURIAN_FUZZ_SEED") ?? 20_260_728);
const SECONDS = Number(Deno.env.get("THEURIAN_FUZZ_SECONDS") ?? (Deno.env.get("CI") ? 2 : 3));

for (const target of TARGETS) {
  Deno.test(`${target.name}: nothing that others write is met badly (seed ${SEED})`, async () => {
    const { runs, failure } = await fuzz(target, { seconds: SECONDS, seed: SEED });
    if (failure !== null) {
      const shown = JSON.stringify(failure.input).slice(0, 2000);
      throw new Error(`${failure.report}\nKeep it in tests/fuzz/corpus/${target.name}: ${shown}`);
    }
    // A target that asks nothing finds nothing.
    if (runs < 5) throw new Error(`only ${runs} runs in ${SECONDS} s`);
  });
}
