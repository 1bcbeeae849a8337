import assert from "node:assert/strict";
import { recordLeaf, repositoryFolder } from "./names.ts";

Deno.test("repositoryFolder() hashes provider and name, case included", () => {
  assert.equal(
    repositoryFolder("github", "acme/widgets"),
    "sha256-fbb3a4a6c6ad6d7148b57f375ca1c6efc445ca58cf8934ffa2528bad424e9f15",
  );
  assert.equal(
    repositoryFolder("github", "Acme/widgets"),
    "sha256-cb088537c13f405af2c644717ef3254a347d170f8f1132185c483c3f6eb6d995",
  );
});

Deno.test("recordLeaf() tags upper case and hashes what is no plain name", () => {
  const leaves: Record<string, string> = {
    "7": "7",
    "PRRT_kwDOaBc1": "PRRT_kwDOaBc1~58f",
    "PRRT_kwDO_test_node_0001": "PRRT_kwDO_test_node_0001~18f",
    "CON": "CON~7",
    "lower_case.id-1": "lower_case.id-1",
    "sha256-x": "sha256-e606654cdcb6600d7c8bc454f4fbfee0a23f46a4653f0f3c944d52bf9c1ad5a2",
  };
  for (const [key, leaf] of Object.entries(leaves)) assert.equal(recordLeaf(key), leaf);
  for (const key of ["MDQ6==", "-dash", ".dot", "x".repeat(121), "ShA256-x", "a\n", "", "é"]) {
    assert.match(recordLeaf(key), /^sha256-[0-9a-f]{64}$/, key);
  }
});

Deno.test("recordLeaf() tags 120 upper-case letters with 30 digits and keeps case twins apart", () => {
  assert.equal(recordLeaf("A".repeat(120)), "A".repeat(120) + "~" + "f".repeat(30));
  assert.notEqual(recordLeaf("aB").toLowerCase(), recordLeaf("Ab").toLowerCase());
});
