/**
 * Builds, or applies and purges (`purge` counts from the purge on), and dies without any clean-up before
 * the nth step of writing.
 */

import { buildIndex, purgeWithdrawn } from "../../src/index/mod.ts";
import { applyMigrations } from "../../src/knowledge/mod.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import { projectPaths } from "../../src/projects/mod.ts";

const [what, root, dataDirectory, step] = Deno.args as [string, string, string, string];
const project = { projectId: "demo", root, paths: projectPaths(root) };
const common = { dataDirectory, clock: systemClock, ulids: ulidSource(systemClock) };
let count = 0;
const countdown = () =>
  setWritePointHook(() => {
    if (++count === Number(step)) Deno.exit(9);
  });
if (what === "build") {
  countdown();
  const flavour = { includeUnapproved: false, embeddings: true, raptor: true };
  await buildIndex(project, { ...common, ...flavour });
} else {
  if (what === "apply") countdown();
  await applyMigrations(project, {
    dataDirectory,
    clock: systemClock,
    seal: () => crypto.randomUUID(),
    allowUncommitted: true,
    purge: async (withdrawal) => {
      if (what === "purge") countdown();
      return await purgeWithdrawn(project, common)(withdrawal);
    },
  });
}
