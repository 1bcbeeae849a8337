import assert from "node:assert/strict";
import { readAnswer, readPage } from "./answer.ts";
import { type Grade, GradedRefusal } from "./grades.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const repository = (more: Record<string, unknown>) =>
  JSON.stringify({ data: { repository: { nameWithOwner: "Acme/Widgets", ...more } } });
const read = (text: string, code = 0) => readAnswer({ code, stdout: encode(text) }, "acme/widgets");

function refuses(work: () => unknown, grade: Grade, rateLimited = false): void {
  assert.throws(
    work,
    (error) =>
      error instanceof GradedRefusal && error.grade === grade && error.rateLimited === rateLimited,
  );
}

Deno.test("readAnswer() takes a public repository whatever the case of its name", () => {
  assert.equal(read(repository({ isPrivate: false })).repository["isPrivate"], false);
  const limited = repository({ isPrivate: false })
    .replace('"data":{', '"data":{"rateLimit":{"resetAt":"2026-12-01T10:00:00Z"},');
  assert.equal(read(limited).limitResetsAt, "2026-12-01T10:00:00Z");
});

Deno.test("readAnswer() counts everything but a literal false as private", () => {
  for (const isPrivate of [undefined, null, true, 0, "false", [], {}]) {
    refuses(() => read(repository({ isPrivate })), "repository-is-private");
  }
});

Deno.test("readAnswer() follows no rename and takes a rename by case for none", () => {
  refuses(
    () => read(repository({ isPrivate: false }).replace("Widgets", "gadgets")),
    "repository-resolved-elsewhere",
  );
  refuses(() => read('{"data": {"repository": {"isPrivate": false}}}'), "tool-failed");
});

Deno.test("readAnswer() refuses what is not one strict JSON object", () => {
  const good = repository({ isPrivate: false });
  const texts = ["", "[]", "null", "\ufeff" + good, good + "x", good.replace("false", "NaN")];
  for (const text of [...texts, '{"a": "\\ud800"}'.repeat(2)]) {
    refuses(() => read(text), "tool-failed");
  }
  const bytes = encode(good);
  bytes[20] = 0xff;
  refuses(() => readAnswer({ code: 0, stdout: bytes }, "acme/widgets"), "tool-failed");
});

Deno.test("readAnswer() tells a used-up rate limit by the answer, not by what gh says beside it", () => {
  const graphql = '{"data": null, "errors": [{"type": "RATE_LIMITED"}]}';
  refuses(() => read(graphql, 1), "tool-failed", true);
  refuses(() => read(graphql, 0), "tool-failed", true);
  const secondary = '{"message": "You have exceeded a secondary rate limit"}';
  refuses(() => read(secondary, 1), "tool-failed", true);
  refuses(() => read("", 1), "tool-failed", false);
  refuses(() => read(repository({ isPrivate: false }), 1), "tool-failed", false);
});

Deno.test("readPage() drops what is no object and refuses a next page without a usable name", () => {
  const page = (hasNextPage: unknown, endCursor: unknown, nodes: unknown = [{}, null, 5, []]) => ({
    pageInfo: { hasNextPage, endCursor },
    nodes,
  });
  assert.deepEqual(readPage(page(false, null)), { nodes: [{}], next: null });
  assert.deepEqual(readPage(page(false, null, "x")), { nodes: [], next: null });
  assert.equal(readPage(page(true, "@c")).next, "@c");
  for (const cursor of [undefined, null, "", "a\0", "\ud800", 5]) {
    refuses(() => readPage(page(true, cursor)), "tool-failed");
  }
  for (const more of [undefined, null, "false", 0]) {
    refuses(() => readPage(page(more, "c")), "tool-failed");
  }
  refuses(() => readPage(null), "tool-failed");
});
