import assert from "node:assert/strict";
import { excerptOf } from "./excerpt.ts";

Deno.test("excerptOf() strips the ends and turns each line feed into one space", () => {
  assert.equal(excerptOf("\n\u3000 a\n\nb\r\n"), "a  b");
});

Deno.test("excerptOf() cuts behind 280 code points and says so, never inside a character", () => {
  assert.equal(excerptOf("😀".repeat(280)), "😀".repeat(280));
  assert.equal(excerptOf("😀".repeat(281)), "😀".repeat(280) + "...");
});
