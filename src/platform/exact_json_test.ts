import assert from "node:assert/strict";
import fc from "fast-check";
import {
  JsonSyntaxError,
  parseExactJson,
  printExactJson,
  withApproximateIntegers,
  withRawIntegers,
} from "./exact_json.ts";

const exact = (text: string) => parseExactJson(text, { fractions: "nan" });

Deno.test("parseExactJson() keeps integers beyond 2^53 and leaves the others numbers", () => {
  assert.deepEqual(exact('{"a": 9223372036854775807, "b": -9007199254740993, "c": 7}'), {
    a: 9223372036854775807n,
    b: -9007199254740993n,
    c: 7,
  });
  assert.equal(exact("9007199254740991"), 9007199254740991);
  assert.equal(exact("9007199254740993"), 9007199254740993n);
});

Deno.test("parseExactJson() tells an integer from a number with a fraction or an exponent", () => {
  for (const text of ["5.0", "1e2", "70e-1", "1E2", "9223372036854775807.0"]) {
    assert.deepEqual(exact(`[${text}]`), [NaN], text);
  }
  assert.deepEqual(parseExactJson("[5.0, 1e2]", { fractions: "number" }), [5, 100]);
});

Deno.test("parseExactJson() is not misled by numbers inside strings", () => {
  assert.deepEqual(exact('{"a": ": 1.5, 12345678901234567890", "b": 1}'), {
    a: ": 1.5, 12345678901234567890",
    b: 1,
  });
});

Deno.test("parseExactJson() lets the last of duplicate keys count, with its own source", () => {
  assert.deepEqual(exact('{"a": 1.0, "a": 9223372036854775807}'), { a: 9223372036854775807n });
  assert.deepEqual(exact('{"a": 9223372036854775807, "a": 1}'), { a: 1 });
});

Deno.test("parseExactJson() refuses what strict JSON does not know", () => {
  for (
    const text of ["", "\ufeff{}", "{} x", "{'a':1}", "[1,]", "NaN", "[Infinity]", "01", "//x\n1"]
  ) {
    assert.throws(() => exact(text), (e) => e instanceof JsonSyntaxError && e.reason === "syntax");
  }
});

Deno.test("parseExactJson() counts depth outside strings and refuses the 1,001st level", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  exact(nested(1_000));
  assert.throws(
    () => exact(nested(1_001)),
    (e) => e instanceof JsonSyntaxError && e.reason === "depth",
  );
  assert.throws(() => exact(nested(100_000)), JsonSyntaxError);
  assert.deepEqual(exact(JSON.stringify(["[".repeat(5_000) + '\\"['])), [
    "[".repeat(5_000) + '\\"[',
  ]);
  assert.throws(
    () => parseExactJson("[[1.5]]", { fractions: "nan", maxDepth: 1 }),
    JsonSyntaxError,
  );
});

Deno.test("parseExactJson() reads an integer of thousands of digits without stalling", () => {
  assert.equal(exact("1" + "0".repeat(400)), 10n ** 400n);
  assert.equal(exact("9".repeat(1_000_000)), Infinity);
});

Deno.test("parseExactJson() keeps a key named __proto__ an ordinary key", () => {
  const value = exact('{"__proto__": {"x": 1.5}, "y": 12345678901234567890}') as object;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.ok(Object.hasOwn(value, "__proto__"));
});

Deno.test("printExactJson() and withRawIntegers() write every digit", () => {
  const value = { a: [9223372036854775807n], b: null, c: { d: 1 } };
  assert.equal(printExactJson(value), '{"a":[9223372036854775807],"b":null,"c":{"d":1}}');
  assert.equal(JSON.stringify(withRawIntegers(value)), printExactJson(value));
  const plain = { x: [1] };
  assert.equal(withRawIntegers(plain), plain);
  assert.deepEqual(withApproximateIntegers(value), { a: [2 ** 63], b: null, c: { d: 1 } });
});

Deno.test("parseExactJson() reads back what printExactJson() writes", () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.string({ unit: "binary" }),
      fc.bigInt().map((n) => n >= -(2n ** 53n) + 1n && n <= 2n ** 53n - 1n ? Number(n) : n),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("any"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("any"), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).any;
  fc.assert(fc.property(value, (any) => {
    assert.deepEqual(exact(printExactJson(any, 2)), any);
  }));
});
