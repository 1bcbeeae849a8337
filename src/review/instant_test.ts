import assert from "node:assert/strict";
import { committerInstant, parseInstant, utcInstantText } from "./instant.ts";

const TEXTS: readonly (readonly [string, string | null])[] = [
  ["2026-03-02T08:30:00.5Z", "2026-03-02T08:30:00.500000+00:00"],
  ["2026-03-02T08:30+09:00", "2026-03-02T08:30:00+09:00"],
  ["2026-03-02 08:30:00,999999999-00:00", "2026-03-02T08:30:00.999999+00:00"],
  ["2026-03-02T08:30:00.0000009Z", "2026-03-02T08:30:00+00:00"],
  ["2026-03-02T08:30:00+00:99", "2026-03-02T08:30:00+01:39"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00+00:00"],
  ["0001-01-01T00:00:00+09:00", "0001-01-01T00:00:00+09:00"],
  ["2026-02-30T00:00:00Z", null],
  ["2025-02-29T00:00:00Z", null],
  ["0000-01-01T00:00:00Z", null],
  ["2026-03-02T24:00:00Z", null],
  ["2026-03-02T08:30:60Z", null],
  ["2026-03-02T08:60Z", null],
  ["2026-03-02T08:30:00+23:60", null],
  ["2026-03-02T08:30:00+24:00", null],
  ["2026-03-02T08:30:00", null],
  ["2026-03-02", null],
  ["2026-W10-1T08:30:00Z", null],
  ["20260302T083000Z", null],
  ["2026-03-02T08:30:00z", null],
  ["2026-03-02T08:30:00+0900", null],
  ["2026-03-02T08:30.5Z", null],
  ["2026-03-02T08:30:00Z\n", null],
  [" 2026-03-02T08:30:00Z", null],
  ["２026-03-02T08:30:00Z", null],
];

Deno.test("parseInstant() reads the published form and refuses its neighbours", () => {
  for (const [text, expected] of TEXTS) {
    assert.equal(parseInstant(text)?.text ?? null, expected, text);
  }
});

Deno.test("parseInstant() gives the same moment for two spellings of it", () => {
  const tokyo = parseInstant("2026-01-01T09:00:00.000001+09:00")!;
  const utc = parseInstant("2026-01-01 00:00:00,0000019Z")!;
  assert.equal(tokyo.milliseconds, Date.UTC(2026, 0, 1));
  assert.deepEqual([tokyo.milliseconds, tokyo.microseconds], [utc.milliseconds, utc.microseconds]);
});

Deno.test("utcInstantText() is 32 characters wide and refuses years outside 1 to 9999", () => {
  const utc = (text: string) => utcInstantText(parseInstant(text)!);
  assert.equal(utc("2026-04-01T09:00:00.5+09:00"), "2026-04-01T00:00:00.500000+00:00");
  assert.equal(utc("0001-01-01T00:00:00Z"), "0001-01-01T00:00:00.000000+00:00");
  assert.equal(utc("1969-12-31T23:59:59.999999Z"), "1969-12-31T23:59:59.999999+00:00");
  assert.equal(utc("9999-12-31T23:59:59.999999Z"), "9999-12-31T23:59:59.999999+00:00");
  assert.equal(utc("0001-01-01T00:00:00+00:01"), null);
  assert.equal(utc("9999-12-31T23:59:00-00:01"), null);
});

Deno.test("committerInstant() takes ninety offset minutes and refuses a day of offset", () => {
  assert.equal(committerInstant("2026-01-01T01:30:00+00:90"), "2026-01-01T00:00:00.000000+00:00");
  assert.equal(committerInstant("2026-01-01T23:59:00+23:59"), "2026-01-01T00:00:00.000000+00:00");
  for (
    const date of [
      "2026-01-02T00:00:00+24:00",
      "2026-01-01T23:59:00+23:60",
      "%cI",
      "",
      "2026-01-01T00:00Z",
      "2026-01-01 00:00:00Z",
      "2026-01-01T00:00:00.5Z",
      "10000-01-01T00:00:00+00:00",
      "9999-12-31T23:00:00-01:00",
    ]
  ) {
    assert.equal(committerInstant(date), null, date);
  }
});
