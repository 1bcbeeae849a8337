import assert from "node:assert/strict";
import { bodyChannels, type Channel, documentChannels, scanChannels } from "./mod.ts";

const KEY = "AKIAIOSFODNN7EXAMPLE";
const channel = (label: string, text: string): Channel => ({ label, text });

Deno.test("scanChannels() reports in order, one line each, four characters of a match", () => {
  const { findings, unscanned } = scanChannels([
    channel("one", `x\ny ${KEY}`),
    channel("two", "fine"),
    channel("three", `${KEY} ${KEY}`),
  ]);
  assert.deepEqual(findings, [
    "one:2:3: aws-access-key-id (AKIA...)",
    "three:1:1: aws-access-key-id (AKIA...)",
    "three:1:22: aws-access-key-id (AKIA...)",
  ]);
  assert.deepEqual(unscanned, []);
});

Deno.test("scanChannels() stops at twenty over all channels and names those it did not reach", () => {
  const { findings, unscanned } = scanChannels([
    channel("one", `${KEY}\n`.repeat(15)),
    channel("two", `${KEY}\n`.repeat(15)),
    channel("three", "fine"),
  ]);
  assert.equal(findings.length, 20);
  assert.match(findings[19]!, /^two:5:/);
  assert.deepEqual(unscanned, ["three"]);
});

Deno.test("bodyChannels() numbers bodies and replaces what is no UTF-8", () => {
  const bodies = [new TextEncoder().encode("a"), new Uint8Array([0xff, 0x41])];
  assert.deepEqual([...bodyChannels(bodies)], [
    channel("the content of body[0]", "a"),
    channel("the content of body[1]", "\ufffdA"),
  ]);
});

const ANCHOR = {
  provider: "t",
  sourceUri: "t",
  repository: "t",
  commitSha: "t",
  blobSha: "t",
  filePath: "t",
  externalId: "t",
  lineStart: 1,
};

Deno.test("documentChannels() yields every text of every operation, in the contract's order", () => {
  const texts = (keys: string) => Object.fromEntries(keys.split(" ").map((key) => [key, "t"]));
  const operation = {
    op: "upsertRevision",
    revisionId: "t",
    expectedRevision: "t",
    contentSha256: "t",
    ...texts("targetItemId supersededBy specId sourceUri sourceItemId reason owner note namespace"),
    ...texts("itemId format description contentFile alias"),
    anchor: ANCHOR,
    metadata: {
      ...texts("validTo validFrom title tenantId owner namespace contentType aclGroup status"),
      labels: ["t", 7, "t"],
      scope: { paths: ["t"] },
      sourceAnchors: [ANCHOR, "no anchor"],
    },
  };
  const document = {
    description: "t",
    createdAt: "t",
    author: "t",
    id: "t",
    operations: ["no operation", operation],
  };
  const anchor = "blobSha commitSha externalId filePath provider repository sourceUri".split(" ");
  const place = "migration.operations[1]";
  assert.deepEqual([...documentChannels(document)].map((one) => one.label), [
    "migration.author",
    "migration.createdAt",
    "migration.description",
    ...("alias contentFile description format itemId namespace note owner reason sourceItemId " +
      "sourceUri specId supersededBy targetItemId").split(" ").map((key) => `${place}.${key}`),
    ...anchor.map((key) => `${place}.anchor.${key}`),
    ..."aclGroup contentType namespace owner tenantId title validFrom validTo".split(" ")
      .map((key) => `${place}.metadata.${key}`),
    `${place}.metadata.labels[0]`,
    `${place}.metadata.labels[2]`,
    `${place}.metadata.scope.paths[0]`,
    ...anchor.map((key) => `${place}.metadata.sourceAnchors[0].${key}`),
  ]);
});

Deno.test("documentChannels() takes any shape", () => {
  for (const odd of [null, [], "t", { operations: "abc" }, { operations: [null, [], 7n] }]) {
    assert.deepEqual([...documentChannels(odd)], []);
  }
});
