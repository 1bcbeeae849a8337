import assert from "node:assert/strict";
import { isFault } from "../platform/errors.ts";
import { deriveProjectId, isProjectId } from "./project_id.ts";

Deno.test("isProjectId() takes groups of lower-case letters and digits, to the absolute end", () => {
  for (const id of ["a", "0", "my-service", "a1-b2-c3", "x".repeat(200)]) {
    assert(isProjectId(id), id);
  }
  for (
    const id of [
      ...["", "-a", "a-", "a--b", "A", "a b", "a_b", "a.b", "a/b", "ä", "a\n", "٣"],
      "x".repeat(201),
    ]
  ) assert(!isProjectId(id), id);
});

Deno.test("deriveProjectId() makes an id of the last component", () => {
  assert.equal(deriveProjectId("/w/My Service_2.0/"), "my-service-2-0");
  assert.equal(deriveProjectId("/w/__api__"), "api");
  assert.equal(deriveProjectId("C:\\w\\Api"), "api");
  assert.equal(deriveProjectId(`/w/${"x".repeat(199)}-y`), "x".repeat(199));
});

Deno.test("deriveProjectId() refuses a name that leaves nothing", () => {
  for (const root of ["/", "/w/---", "/w/日本"]) {
    assert.throws(() => deriveProjectId(root), (error) => isFault(error, "project-unknown"));
  }
});
