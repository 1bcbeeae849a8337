/**
 * Drafts, accepts or discards in a project and kills itself at the nth step of its writing:
 * `ROOT DATA_DIRECTORY NTH draft|accept|discard [PROPOSAL_ID]`.
 *
 * @module
 */

import { loadMigrationSet } from "../../src/knowledge/mod.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { projectPaths } from "../../src/projects/mod.ts";
import {
  acceptProposal,
  commandLineSurface,
  discardProposal,
  draftContent,
} from "../../src/proposals/mod.ts";
import { contentDraft } from "./proposals.ts";

const [root, dataDirectory, nth, what, proposalId] = Deno.args as [
  string,
  string,
  string,
  string,
  string?,
];
const project = { projectId: "demo", root, paths: projectPaths(root) };
let count = 0;
setWritePointHook(() => {
  if (++count === Number(nth)) Deno.kill(Deno.pid, "SIGKILL");
});
if (what === "accept") {
  await acceptProposal(project, dataDirectory, proposalId!);
} else if (what === "discard") {
  await discardProposal(project, dataDirectory, proposalId!);
} else {
  const clock = { now: () => Date.now() };
  await draftContent(contentDraft(), {
    project,
    clock,
    ulids: ulidSource(clock),
    surface: commandLineSurface(loadMigrationSet(project.paths)),
    lockWaitMs: 5_000,
    nextSteps: () => [],
  });
}
