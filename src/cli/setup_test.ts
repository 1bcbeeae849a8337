import assert from "node:assert/strict";
import { EXIT_OF_SETUP } from "./setup.ts";

Deno.test("setup ends with 0 when it planned or prepared, with 5 when it asks, with 1 when it stopped", () => {
  assert.deepEqual(EXIT_OF_SETUP, {
    "plan-built": 0,
    "converged": 0,
    "degraded": 0,
    "awaiting-consent": 5,
    "halted": 1,
    "aborted": 1,
  });
});
