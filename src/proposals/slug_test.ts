import assert from "node:assert/strict";
import { slugOf } from "./slug.ts";

Deno.test("slugOf() lowers and joins words by single dashes", () => {
  assert.equal(slugOf("Deprecate Retry: the Policy!", "x"), "deprecate-retry-the-policy");
});

Deno.test("slugOf() falls back where no ASCII letter or digit remains", () => {
  assert.equal(slugOf("認証の方針", "auth-policy"), "auth-policy");
  assert.equal(slugOf("!!!", ""), "migration");
});

Deno.test("slugOf() cuts at 48 characters and leaves no dash at the end", () => {
  assert.equal(slugOf("a".repeat(47) + " " + "b".repeat(9), "x"), "a".repeat(47));
  assert.equal(slugOf("a".repeat(60), "x"), "a".repeat(48));
});
