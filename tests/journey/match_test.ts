import assert from "node:assert/strict";
import type { Json } from "./_cases.ts";
import { match, matches } from "./_match.ts";
import { commandNames } from "./_scope.ts";

const ID = "01KA0MG0010000000000000000";

/** Matcher, values that it accepts, values that it refuses. */
const TABLE: readonly [Json, readonly unknown[], readonly unknown[]][] = [
  [{ $prose: 1 }, ["Cannot read it"], ["", "  ", 7, null]],
  [{ $string: 1 }, ["", "a"], [1, null, undefined]],
  [{ $int: 1 }, [0, -3], [1.5, "1", null]],
  [{ $number: 1 }, [1.5], ["1.5"]],
  [{ $bool: 1 }, [true, false], [0, "true"]],
  [{ $list: 1 }, [[], [1]], [{}, "[]"]],
  [{ $any: 1 }, [null, 0, "x"], []],
  [{ $time: 1 }, ["2026-01-02T03:04:05.678901+00:00", "2026-01-02T03:04:05Z"], [
    "2026-01-02",
    "2026-13-02T03:04:05Z",
    5,
  ]],
  [{ $ulid: 1 }, [ID], [ID.toLowerCase(), `${ID}0`, "81KA0MG0010000000000000000"]],
  [{ $hex: 4 }, ["0af9"], ["0AF9", "0af", "0af90"]],
  [{ $form: "a/<ulid>.b" }, [`a/${ID}.b`], [`a/${ID}xb`, `a/${ID}.b/`]],
  [{ $superset: { a: 1 } }, [{ a: 1 }, { a: 1, b: 2 }], [{}, { a: 2 }, []]],
  [{ $oneOf: [1, { $string: 1 }] }, [1, "x"], [2, null]],
  [{ $contains: [{ $int: 1 }, "x"] }, [["x", 3]], [["x"], "x"]],
  [{ $hit: { keys: ["a", "b"], a: 1 } }, [{ b: 0, a: 1 }], [{ a: 1 }, { a: 2, b: 0 }]],
  [{ a: 1 }, [{ a: 1 }], [{ a: 1, b: 2 }, {}, null, [1]]],
  [[1, { $any: 1 }], [[1, 2]], [[1], [1, 2, 3], [2, 2]]],
  [
    { $ranked: { keys: ["itemId", "foundBy"], first: { itemId: "a" }, absent: ["z"], count: 2 } },
    [[{ itemId: "a", foundBy: ["x"] }, { itemId: "b", foundBy: ["x"] }]],
    [
      [{ itemId: "b", foundBy: ["x"] }, { itemId: "a", foundBy: ["x"] }],
      [{ itemId: "a", foundBy: ["x"] }, { itemId: "z", foundBy: ["x"] }],
      [{ itemId: "a", foundBy: ["x"] }, { itemId: "a", foundBy: ["x"] }],
      [{ itemId: "a", foundBy: ["x"] }, { itemId: "b", foundBy: [] }],
      [{ itemId: "a", foundBy: ["x"] }, { itemId: "b", foundBy: ["x"], extra: 1 }],
      [{ itemId: "a", foundBy: ["x"] }],
      {},
    ],
  ],
];

Deno.test("Every matcher accepts what it should and refuses what it should not", () => {
  for (const [expected, accepted, refused] of TABLE) {
    const name = JSON.stringify(expected);
    for (const value of accepted) assert.ok(matches(expected, value), `${name} accepts ${value}`);
    for (const value of refused) assert.ok(!matches(expected, value), `${name} refuses ${value}`);
  }
});

Deno.test("match() says where an answer differs and what was there", () => {
  assert.deepEqual(match({ a: { b: [1, 2] } }, { a: { b: [1, 3] } }), [
    { at: "a.b[1]", expected: "2", actual: "3" },
  ]);
  assert.deepEqual(match({ a: 1 }, {}), [{ at: "a", expected: "1", actual: "(absent)" }]);
});

Deno.test("match() refuses a matcher that nobody wrote", () => {
  assert.throws(() => match({ $nonsense: 1 }, 1), /\$nonsense/);
});

Deno.test("commandNames() reads the commands of a help text and nothing else", () => {
  const help = "Usage: theurian migrate COMMAND\n\nOptions:\n  --help  Show this help\n\n" +
    "Commands:\n  apply     Apply what is pending\n            and say so\n  validate  Check\n\nMore text\n";
  assert.deepEqual(commandNames(help), ["apply", "validate"]);
  assert.deepEqual(commandNames("Usage: theurian version\n"), []);
});
