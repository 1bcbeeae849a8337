import assert from "node:assert/strict";
import { acceptsJson } from "./_accept.ts";

Deno.test("acceptsJson() is content with JSON, both types, a wildcard or nothing at all", () => {
  for (
    const accept of [
      null,
      "",
      "application/json",
      "Application/JSON",
      "application/json, text/event-stream",
      "text/event-stream, application/json;q=0.1",
      "*/*",
      "application/*",
      "text/html, */*;q=0.8",
      "application/json;charset=utf-8",
    ]
  ) {
    assert.equal(acceptsJson(accept), true, String(accept));
  }
});

Deno.test("acceptsJson() refuses what rules JSON out", () => {
  for (
    const accept of [
      "text/html",
      "text/event-stream",
      "text/*",
      "application/jsonx",
      "application/json;q=0",
      "application/json;q=0, */*",
      "*/*;q=0",
      "nonsense",
      ",",
    ]
  ) {
    assert.equal(acceptsJson(accept), false, accept);
  }
});
