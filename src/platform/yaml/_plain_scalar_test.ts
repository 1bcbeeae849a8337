import assert from "node:assert/strict";
import fc from "fast-check";
import { HUGE_NUMBER, REFUSED_SCALAR, resolvePlain } from "./_plain_scalar.ts";

/** The table of corpus-and-migrations.md 8.2, row by row; the first row that matches decides. */
const TABLE: readonly (readonly [type: string, RegExp])[] = [
  ["null", /^(|~|null|Null|NULL)$/],
  ["boolean", /^(true|True|TRUE|yes|Yes|YES|on|On|ON|false|False|FALSE|no|No|NO|off|Off|OFF)$/],
  ["number", /^[-+]?(0|[1-9][0-9]*)$/],
  ["number", /^[-+]?0x[0-9a-fA-F]+$/],
  ["number", /^[-+]?[0-9]+\.[0-9]*([eE][-+][0-9]+)?$/],
  ["number", /^\.[0-9]+([eE][-+][0-9]+)?$/],
  ["refused", /^[-+]?0[0-7_]+$/],
  ["refused", /^[-+]?0b[01_]+$/],
  ["refused", /^[-+]?(0|[1-9][0-9_]*)$/],
  ["refused", /^[-+]?0x[0-9a-fA-F_]+$/],
  ["refused", /^[-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?$/],
  ["refused", /^\.[0-9][0-9_]*([eE][-+][0-9]+)?$/],
  ["refused", /^[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+$/],
  ["refused", /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*$/],
  ["refused", /^[-+]?\.(inf|Inf|INF)$/],
  ["refused", /^\.(nan|NaN|NAN)$/],
  ["refused", /^(<<|=)$/],
];

const byTable = (text: string) => TABLE.find(([, form]) => form.test(text))?.[0] ?? "string";

function typeOf(text: string): string {
  const value = resolvePlain(text);
  if (value === REFUSED_SCALAR) return "refused";
  if (value === HUGE_NUMBER || typeof value === "bigint") return "number";
  return value === null ? "null" : typeof value;
}

Deno.test("resolvePlain() reads the words and numbers of the table and leaves the rest a text", () => {
  const cases: [string, unknown][] = [
    ["", null],
    ["NULL", null],
    ["nULL", "nULL"],
    ["off", false],
    ["oFF", "oFF"],
    ["y", "y"],
    ["n", "n"],
    ["tRue", "tRue"],
    ["0", 0],
    ["-0", 0],
    ["+12", 12],
    ["0x10", 16],
    ["-0xfF", -255],
    ["0X1F", "0X1F"],
    ["1.", 1],
    ["5.0", 5],
    ["08.5", 8.5],
    [".5", 0.5],
    ["-.5", "-.5"],
    ["1.5e+3", 1500],
    ["1.5e3", "1.5e3"],
    ["1e3", "1e3"],
    ["12e4567", "12e4567"],
    ["08", "08"],
    ["0o17", "0o17"],
    ["1:99", "1:99"],
    ["2026-01-01", "2026-01-01"],
    ["2026-08-01T00:00:00Z", "2026-08-01T00:00:00Z"],
    ["-", "-"],
    ["+", "+"],
    [".", "."],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["0xfffffffffffffffff", 0xfffffffffffffffffn],
  ];
  for (const [text, value] of cases) assert.deepEqual(resolvePlain(text), value, text);
  for (const text of ["010", "1_0", "0b11", "1:30", "1:30.5", "0x_1", ".inf", "-.INF", ".nan"]) {
    assert.equal(resolvePlain(text), REFUSED_SCALAR, text);
  }
});

Deno.test("resolvePlain() agrees with the table on any text", () => {
  const alphabet = fc.constantFrom(..."0123456789+-._:eExXobinfaNAtruyslO~<= ");
  const words = fc.constantFrom(
    "null",
    "true",
    "yes",
    "off",
    "0x",
    "0b",
    "1_0",
    ".inf",
    "1:5",
    "e+1",
  );
  const text = fc.array(fc.oneof({ weight: 4, arbitrary: alphabet }, words), { maxLength: 9 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (scalar) => assert.equal(typeOf(scalar), byTable(scalar), scalar)),
    { numRuns: 20_000 },
  );
});
