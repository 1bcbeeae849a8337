import assert from "node:assert/strict";
import { isItemId } from "./item_id.ts";

Deno.test("isItemId() takes lower-case words joined by dashes and dots, up to 200 characters", () => {
  for (const id of ["a", "a.b", "ops.retry-2", "9.9", "a".repeat(200)]) assert.ok(isItemId(id), id);
});

Deno.test("isItemId() refuses everything else, a line feed at the end too", () => {
  const bad = [
    "",
    ".",
    "a.",
    ".a",
    "a..b",
    "a--b",
    "-a",
    "a-",
    "A",
    "a b",
    "a_b",
    "a\n",
    "é",
    "a/b",
  ];
  for (const id of [...bad, "a".repeat(201)]) assert.ok(!isItemId(id), JSON.stringify(id));
});
