/** Applies a project's migrations and dies, without any clean-up, before the nth step of writing. */

import { applyMigrations, nothingPurged } from "../../src/knowledge/mod.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { projectPaths } from "../../src/projects/mod.ts";

const [root, dataDirectory, step] = Deno.args as [string, string, string];
let count = 0;
setWritePointHook(() => {
  if (++count === Number(step)) Deno.exit(9);
});
await applyMigrations({ projectId: "ledger", root, paths: projectPaths(root) }, {
  dataDirectory,
  clock: { now: () => Date.now() },
  seal: () => crypto.randomUUID(),
  allowUncommitted: true,
  purge: () => nothingPurged("no-published-index"),
});
