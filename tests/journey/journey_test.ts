/**
 * The recorded journey, played against the executable (or the source under the baked flags): one
 * test per state, one step per case. `THEURIAN_JOURNEY_ONLY` limits it to names that match a
 * pattern.
 */

import assert from "node:assert/strict";
import { Journey } from "./_journey.ts";

const journey = new Journey();

for (const state of journey.states) {
  Deno.test(`Every recorded case of state ${state} that is built answers as recorded`, async (t) => {
    await journey.playState(state, t);
  });
}

Deno.test("The recorded journey decides every case and leaves no built one failing", () => {
  const { text, failed, undecided } = journey.account();
  journey.close();
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
  assert.deepEqual(undecided, []);
  assert.deepEqual(failed, []);
});
