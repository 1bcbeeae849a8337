import assert from "node:assert/strict";
import { TheurianError } from "../platform/errors.ts";
import { refusalOf, resultOf } from "./results.ts";

Deno.test("resultOf() gives the payload as structure and as the same JSON in text", () => {
  const payload = { a: "日本", b: [1, null] };
  assert.deepEqual(resultOf(payload), {
    content: [{ type: "text", text: '{\n  "a": "日本",\n  "b": [\n    1,\n    null\n  ]\n}' }],
    structuredContent: payload,
    isError: false,
  });
});

Deno.test("refusalOf() carries the three facts, cuts the message and never the remedy", () => {
  const remedy = "r".repeat(900);
  const error = new TheurianError("capacity", "M".repeat(700), {
    remedy,
    wireCode: "INVALID_INPUT",
    details: { a: 1 },
    retryAfterSeconds: 1,
  });
  assert.deepEqual(refusalOf(error), {
    content: [{ type: "text", text: `${"M".repeat(600)}… (cut). ${remedy}` }],
    isError: true,
    _meta: {
      "dev.theurian/error": { code: "INVALID_INPUT", details: { a: 1 }, retryAfterSeconds: 1 },
    },
  });
});

Deno.test("refusalOf() says nothing of an error that is not ours", () => {
  const text = JSON.stringify(refusalOf(new Error("SELECT secret FROM items")));
  assert.ok(!text.includes("SELECT"));
  assert.match(text, /internal error/);
});
