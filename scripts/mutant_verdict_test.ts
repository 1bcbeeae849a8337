import assert from "node:assert/strict";
import { type Mutant, mutate } from "../tests/mutants/mutant.ts";
import { table, verdictOf } from "./mutant_verdict.ts";

const MUTANT: Mutant = {
  trap: [3, 4],
  why: "blank is refused",
  file: "src/a.ts",
  find: "if (a)",
  replace: "if ($&)",
  tests: ["src/a_test.ts"],
};

Deno.test("mutate() changes the one place and takes the replacement as it is", () => {
  assert.equal(mutate("x; if (a) y;", MUTANT), "x; if ($&) y;");
});

Deno.test("mutate() refuses a text that is not there, or more than once, or stays the same", () => {
  assert.throws(() => mutate("x", MUTANT), /src\/a\.ts: the text stands there 0 times/);
  assert.throws(() => mutate("if (a) if (a)", MUTANT), /2 times/);
  assert.throws(() => mutate("aaa", { ...MUTANT, find: "aa" }), /2 times/);
  assert.throws(() => mutate("if (a)", { ...MUTANT, replace: "if (a)" }), /nothing would change/);
});

Deno.test("verdictOf() names the first test that failed", () => {
  const output =
    "running 2 tests\nfirst() is right => ./src/a_test.ts:9:9\n ERRORS \n\nsecond() => is " +
    "right => ./src/a_test.ts:3:6\nerror: AssertionError\n\n FAILURES \n\nsecond() => is right => " +
    "./src/a_test.ts:3:6\n\nFAILED | 1 passed | 1 failed\n";
  assert.deepEqual(verdictOf(1, output), { kind: "noticed", by: "second() => is right" });
  assert.equal(verdictOf(0, "ok | 2 passed").kind, "survived");
  assert.equal(verdictOf(null, "").kind, "noticed");
});

Deno.test("verdictOf() takes a module that does not load for no verdict", () => {
  const output =
    "./src/a_test.ts (uncaught error)\nerror: (in promise) SyntaxError: no export\n\n " +
    "FAILURES \n\n./src/a_test.ts (uncaught error)\n\nFAILED | 0 passed | 1 failed\n";
  assert.deepEqual(verdictOf(1, output), {
    kind: "broken",
    by: "./src/a_test.ts (uncaught error)",
  });
});

Deno.test("table() says plainly what nobody noticed", () => {
  const survived = { kind: "survived", by: "" } as const;
  assert.match(
    table([{ area: "x", mutant: MUTANT, verdict: survived }]),
    /^x 3, 4 +blank is refused +SURVIVED\n$/,
  );
});
