import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { textFilter } from "./filter_checks.ts";

Deno.test("textFilter() quotes a word outside the vocabulary, escaped and cut", () => {
  const refused = (value: string): string => {
    try {
      textFilter({ state: value }, "state", { maxLength: 400, vocabulary: ["open"] });
    } catch (error) {
      assert.ok(isFault(error, "invalid-input"));
      return error.message;
    }
    throw new assert.AssertionError({ message: "not refused" });
  };
  assert.equal(refused("opne"), 'Cannot use state "opne": it must be one of open');
  assert.match(refused("a\u001bb"), /"a\\x1bb"/);
  assert.match(refused("x".repeat(400)), /"x{120}… \(cut\)"/);
});
