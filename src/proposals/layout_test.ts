import assert from "node:assert/strict";
import {
  BODY_FILE_NAME,
  bodyDestination,
  bodyTail,
  contentFileOf,
  MIGRATION_FILE_NAME,
  migrationFileName,
  proposalDirectory,
} from "./mod.ts";

const ID = "01K0000000000000000000000A";

Deno.test("a body's place follows the item id, with the revision in the name", () => {
  const rows: readonly (readonly [string, Parameters<typeof bodyTail>[2], string])[] = [
    ["a.b.leaf", "text/markdown", `a/b/leaf.${ID}.md`],
    ["leaf", "application/json", `leaf.${ID}.json`],
    ["a-b.c-d", "application/yaml", `a-b/c-d.${ID}.yaml`],
  ];
  for (const [itemId, contentType, tail] of rows) {
    assert.equal(bodyTail(itemId, ID, contentType), tail);
    assert.equal(contentFileOf(tail), `../knowledge/${tail}`);
    assert.equal(bodyDestination(tail), `.theurian/knowledge/${tail}`);
    assert.match(tail.split("/").at(-1)!, BODY_FILE_NAME);
  }
});

Deno.test("proposalDirectory() keeps what travels and what Git ignores apart", () => {
  assert.equal(proposalDirectory(ID, false), `.theurian/proposals/${ID}`);
  assert.equal(proposalDirectory(ID, true), `.theurian/proposals-local/${ID}`);
});

Deno.test("MIGRATION_FILE_NAME takes what a draft names and nothing beside it", () => {
  assert.equal(MIGRATION_FILE_NAME.exec(migrationFileName(ID, "a-b1"))![1], ID);
  const others = [
    `${ID}.yaml`,
    `${ID}-.yaml`,
    `${ID}-a.yml`,
    `${ID}-A.yaml`,
    `${ID}-a--b.yaml`,
    `${ID}-a-.yaml`,
    `${ID}-a.yaml.bak`,
    `${ID}-a.yaml\n`,
    `${ID.toLowerCase()}-a.yaml`,
    `8${ID.slice(1)}-a.yaml`,
    `${ID.slice(1)}-a.yaml`,
    `x${ID}-a.yaml`,
    "evidence.json",
  ];
  for (const name of others) assert.doesNotMatch(name, MIGRATION_FILE_NAME, name);
});

Deno.test("BODY_FILE_NAME takes what a draft names and nothing beside it", () => {
  const others = [`.${ID}.md`, `a.${ID}.txt`, `a.md`, `A.${ID}.md`, `a.${ID}.md\n`, `a-.${ID}.md`];
  for (const name of others) assert.doesNotMatch(name, BODY_FILE_NAME, name);
});
