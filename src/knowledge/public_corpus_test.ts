/** A public corpus, unpacked where `THEURIAN_PUBLIC_CORPUS` says; not run without it. */

import assert from "node:assert/strict";
import { KnowledgeProject } from "../../tests/support/knowledge_project.ts";
import { openActiveState } from "./open_state.ts";

const ARCHIVE = Deno.env.get("THEURIAN_PUBLIC_CORPUS");
const present = ARCHIVE !== undefined && exists(ARCHIVE);

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test({
  name: present
    ? "the public corpus applies to its published state hash"
    : "the public corpus applies to its published state hash (did not run: THEURIAN_PUBLIC_CORPUS names no archive)",
  ignore: !present,
  fn: async () => {
    using at = new KnowledgeProject("corpus");
    at.remove(".theurian");
    const { code } = new Deno.Command("tar", { args: ["-xzf", ARCHIVE!, "-C", at.root] })
      .outputSync();
    assert.equal(code, 0);
    at.commit();
    const report = await at.apply({ allowUncommitted: false });
    assert.equal(
      report.stateHash,
      "1e2df46a01c3f7604ae2a5b1d49ee2fc7eb8d96ea9e59ed4ac1125ba92746ede",
    );
    assert.deepEqual([report.applied.length, report.operationsApplied], [26, 52]);
    assert.deepEqual(report.applied, [...report.applied].sort());
    using reader = openActiveState(at.project, at.dataDirectory).reader;
    const items = [...reader.allItems()];
    assert.ok(items.every((item) => item.status === "approved" && item.sensitivity === "public"));
    for (const item of items) assert.ok(reader.currentRevision(item) !== null);
  },
});
