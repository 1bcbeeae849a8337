import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { isValidAt, parseAsOf } from "./as_of.ts";

Deno.test("parseAsOf() reads RFC 3339 with any offset, also in lower case", () => {
  const moment = BigInt(Date.UTC(2026, 3, 1)) * 1000n;
  for (
    const text of [
      "2026-04-01T00:00:00Z",
      "2026-04-01t00:00:00z",
      "2026-04-01T09:00:00+09:00",
      "2026-03-31T18:30:00-05:30",
      "2026-04-01T00:00:00.000000999Z",
    ]
  ) assert.equal(parseAsOf(text), moment, text);
  assert.equal(parseAsOf("2026-04-01T00:00:00.25Z"), moment + 250_000n);
});

Deno.test("parseAsOf() refuses everything else, a missing offset in its own words", () => {
  const withoutOffset = [
    "2026-04-01",
    "2026-04-01T00:00:00",
    "2026-04-01T00:00",
    "2026-04-01T00:00:00.5",
  ];
  for (
    const text of [
      ...withoutOffset,
      ...[
        "",
        "yesterday",
        " 2026-04-01T00:00:00Z",
        "2026-04-01T00:00:00Z\n",
        "2026-13-01T00:00:00Z",
      ],
      ...["2026-02-30T00:00:00Z", "2026-04-01T24:00:00Z", "2026-04-01T00:00:60Z"],
      ...["2026-04-01T00:00:00+24:00", "20260401T000000Z", "0000-01-01T00:00:00Z"],
    ]
  ) {
    assert.throws(() => parseAsOf(text), (error) => {
      return isFault(error, "invalid-input") && error.wireCode === "INVALID_INPUT" &&
        error.message.includes("no offset") === withoutOffset.includes(text);
    }, text);
  }
});

Deno.test("isValidAt() holds from the first moment until just before the last, by instant", () => {
  const window = { validFrom: "2026-01-01T00:00:00+00:00", validTo: "2026-03-01T00:00:00+09:00" };
  const at = (text: string) => isValidAt(window, parseAsOf(text));
  assert.deepEqual(
    ["2025-12-31T23:59:59Z", "2026-01-01T00:00:00Z", "2026-02-28T14:59:59Z", "2026-02-28T15:00:00Z"]
      .map(at),
    [false, true, true, false],
  );
  assert.ok(isValidAt({ ...window, validTo: null }, parseAsOf("9999-12-31T23:59:59Z")));
});
