import assert from "node:assert/strict";
import { referenceScheme, walkReferences } from "./external_references.ts";

const SCHEMES: [string, string | null][] = [
  ["", null],
  ["#/a", null],
  [" \t#/a", null],
  ["other.yaml", "relative-file"],
  ["./a.json#/x", "relative-file"],
  ["/etc/passwd", "absolute-file"],
  ["\\a", "absolute-file"],
  ["\t//host/x", "protocol-relative"],
  ["///x", "protocol-relative"],
  ["/\\host", "protocol-relative"],
  ["\\\\host\\share", "unc"],
  ["\\/host", "unc"],
  ["C:\\x", "absolute-file"],
  ["c:x", "absolute-file"],
  ["x://h", "x"],
  ["HTTP://h", "http"],
  ["ht\ntp://h", "http"],
  ["\u0000https://h\u001f ", "https"],
  ["file:///etc/passwd", "file"],
  ["1a:b", "relative-file"],
];

Deno.test("referenceScheme() reads a reference as a URL parser would", () => {
  for (const [ref, scheme] of SCHEMES) assert.equal(referenceScheme(ref), scheme, ref);
});

Deno.test("walkReferences() lists each reference once, in document order, with its place", () => {
  const { externalRefs } = walkReferences({
    a: { $ref: "x.yaml" },
    b: [{ $ref: "y.yaml" }, { $ref: "x.yaml" }, { $ref: "#/in" }],
    $ref: "z.yaml",
    c: { ref: "no", $ref: { $ref: "http://h" } },
  });
  assert.deepEqual(externalRefs.map(({ ref, at, scheme }) => [ref, at, scheme]), [
    ["x.yaml", "a.$ref", "relative-file"],
    ["y.yaml", "b[0].$ref", "relative-file"],
    ["z.yaml", "$ref", "relative-file"],
    ["http://h", "c.$ref.$ref", "http"],
  ]);
  assert(externalRefs.every(({ resolved }) => resolved === "false"));
});

Deno.test("walkReferences() enters a shared node once", () => {
  let node: object = { $ref: "x.yaml" };
  for (let i = 0; i < 40; i++) node = { a: node, b: node };
  const { externalRefs, refWalkTruncations } = walkReferences(node);
  assert.equal(externalRefs.length, 1);
  assert.deepEqual(refWalkTruncations, []);
});

Deno.test("walkReferences() says once where it stopped, and empty containers never count", () => {
  let deep: object = {};
  for (let i = 0; i < 64; i++) deep = { a: deep };
  assert.deepEqual(walkReferences(deep).refWalkTruncations, []);
  const { refWalkTruncations } = walkReferences({ a: deep, b: { c: deep } });
  assert.deepEqual(refWalkTruncations.map(({ reason, limit }) => [reason, limit]), [["depth", 64]]);
  const many = walkReferences(Array.from({ length: 5_002 }, (_, i) => ({ $ref: `${i}.yaml` })));
  assert.equal(many.externalRefs.length, 5_000);
  assert.deepEqual(many.refWalkTruncations, [
    { reason: "refCount", at: "[5000].$ref", limit: 5_000 },
  ]);
});
