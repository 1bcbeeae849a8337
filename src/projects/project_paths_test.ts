import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { projectPaths } from "./project_paths.ts";

function tree() {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-paths-" }));
  return { root, [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }) };
}

Deno.test("projectPaths() needs nothing to exist", () => {
  using project = tree();
  const paths = projectPaths(project.root);
  assert.equal(paths.activePointer, join(project.root, ".theurian/state/active.json"));
  assert.equal(paths.writeLock, join(project.root, ".theurian/runtime/write.lock"));
  assert.equal(paths.proposalsLocal, join(project.root, ".theurian/proposals-local"));
});

Deno.test("projectPaths() refuses every link that leads out of the root", () => {
  for (
    const name of [
      ...["", "/migrations", "/knowledge", "/specifications", "/proposals", "/proposals-local"],
      ...["/review", "/state", "/cache", "/runtime", "/generated"],
    ]
  ) {
    using project = tree();
    if (name !== "") Deno.mkdirSync(join(project.root, ".theurian"));
    Deno.symlinkSync("/tmp", join(project.root, `.theurian${name}`));
    assert.throws(() => projectPaths(project.root), (error) => {
      return isFault(error, "path-escape") && error.exit === 4;
    }, name);
  }
});

Deno.test("projectPaths() takes a link that stays inside", () => {
  using project = tree();
  Deno.mkdirSync(join(project.root, "docs/knowledge"), { recursive: true });
  Deno.symlinkSync("docs", join(project.root, ".theurian"));
  projectPaths(project.root);
});
