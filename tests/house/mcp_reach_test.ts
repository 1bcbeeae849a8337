/**
 * No MCP path reaches acceptance, apply or a store write: not by a flag, not by a permission, not in
 * the code (proposals.md 1, P2). Judged over the declarations that the tools can get into.
 *
 * @module
 */

import assert from "node:assert/strict";
import { sourceFiles } from "./import_graph.ts";
import {
  fileOf,
  type Reach,
  reachOf,
  type ReadSource,
  readSource,
  usersOf,
} from "./symbol_reach.ts";

/** The tools, and the thread that runs them. */
const STARTS = [...sourceFiles("src/mcp"), "src/daemon/worker.ts"];

/** Files of which nothing may be in reach: what lands, applies, builds, fetches, prunes. */
const OUT_OF_REACH = [
  "src/proposals/accept.ts",
  "src/proposals/move_into_place.ts",
  "src/proposals/rehearse.ts",
  "src/proposals/move_checks.ts",
  "src/proposals/read_proposal.ts",
  "src/proposals/find_proposal.ts",
  "src/proposals/discard.ts",
  "src/proposals/adopt.ts",
  "src/proposals/list_proposals.ts",
  "src/proposals/show_proposal.ts",
  "src/knowledge/apply_migrations.ts",
  "src/knowledge/load_migrations.ts",
  "src/knowledge/validate_migrations.ts",
  "src/knowledge/join_migration.ts",
  "src/knowledge/replay.ts",
  "src/knowledge/write_state.ts",
  "src/knowledge/withdrawal.ts",
  "src/knowledge/state_inventory.ts",
  "src/index/build_index.ts",
  "src/index/_fill_build.ts",
  "src/index/_publish_build.ts",
  "src/index/purge_withdrawn.ts",
  "src/index/prune_builds.ts",
  "src/index/collect_garbage.ts",
  "src/review/findings/build.ts",
  "src/review/evidence/write_files.ts",
  "src/projects/register.ts",
  "src/projects/layout.ts",
  "src/platform/process.ts",
  "src/platform/git.ts",
];

/** Whole areas of which nothing may be in reach. */
const AREAS_OUT_OF_REACH = [
  "src/okf/",
  "src/ingest/",
  "src/setup/",
  "src/cli/",
  "src/review/ingest/",
];

/** Declarations beside ones that only read. */
const WRITERS_OUT_OF_REACH = [
  "src/knowledge/active_pointer.ts#publishActivePointer",
  "src/index/index_pointer.ts#publishIndexPointer",
  "src/review/publish_store.ts#writeStore",
  "src/review/publish_store.ts#recordStore",
  "src/projects/built_here.ts#recordBuiltHere",
  "src/projects/built_here.ts#forgetBuiltHere",
  "src/platform/sqlite/open_database.ts#openForWriting",
  "src/platform/sqlite/open_database.ts#removeDatabase",
  "src/platform/files/write_file.ts#appendToFile",
  "src/platform/files/write_file.ts#createFile",
  "src/platform/files/copy_file.ts#copyFile",
  "src/platform/files/move_and_remove.ts#removeFile",
];

/** Everything that writes, and who in reach may call it. */
const WRITING_DOORS: Readonly<Record<string, readonly string[]>> = {
  "src/platform/files/create_tree.ts#createTree": ["src/proposals/stage.ts#writeFiles"],
  "src/platform/files/write_file.ts#replaceFile": [
    "src/projects/gitignore_block.ts#updateGitignore",
  ],
  "src/platform/files/move_and_remove.ts#renamePath": ["src/proposals/stage.ts#stageProposal"],
  "src/platform/files/move_and_remove.ts#removeTree": ["src/proposals/_set_aside.ts#removeQuietly"],
  "src/platform/files/directories.ts#ensureDirectory": [
    "src/projects/write_lock.ts#withWriteLock",
    "src/proposals/stage.ts#stageProposal",
  ],
};

function violations(reach: Reach): string[] {
  const inReach = [...reach.keys()];
  const shown = (symbol: string) => reach.get(symbol)!.join(" → ");
  return [
    ...inReach.filter((symbol) => OUT_OF_REACH.includes(fileOf(symbol))),
    ...inReach.filter((symbol) => AREAS_OUT_OF_REACH.some((area) => symbol.startsWith(area))),
    ...inReach.filter((symbol) => WRITERS_OUT_OF_REACH.includes(symbol)),
  ].map(shown);
}

Deno.test("no tool can get to acceptance, apply, a build, a fetch, a store write or a process", () => {
  const reach = reachOf(STARTS);
  assert.deepEqual(violations(reach), []);
  const drafts = ["draft_content.ts#draftContent", "draft_document.ts#draftDocument"];
  for (const draft of drafts) assert.ok(reach.has(`src/proposals/${draft}`), draft);
  assert.ok(reach.size > 500);
});

Deno.test("what a tool can write with is called by the staging of a draft alone", () => {
  const reach = reachOf(STARTS);
  for (const [door, callers] of Object.entries(WRITING_DOORS)) {
    const users = usersOf(reach, door).filter((user) => !user.startsWith("src/platform/files/"));
    assert.deepEqual(users, callers, door);
  }
});

Deno.test("the list of what must be out of reach names what there is", () => {
  for (const path of OUT_OF_REACH) {
    assert.ok([...reachOf([path]).keys()].some((symbol) => fileOf(symbol) === path), path);
  }
  for (const symbol of WRITERS_OUT_OF_REACH) {
    assert.ok(reachOf([fileOf(symbol)]).has(symbol), symbol);
  }
  for (const area of AREAS_OUT_OF_REACH) {
    assert.ok(sourceFiles().some((path) => path.startsWith(area)), area);
  }
});

const FACADE = "src/proposals/facade.ts";
const TOOL = "src/mcp/tools/knowledge_propose_change.ts";

/** Ways in which a tool could come to accept; each must be seen. */
const BREACHES: Readonly<
  Record<string, readonly [path: string, edit: (source: string) => string]>
> = {
  "a third function of the facade": [
    FACADE,
    (source) =>
      `import { acceptProposal } from "./accept.ts";\n` +
      source.replace("return {", "return { accept: acceptProposal,"),
  ],
  "an import through the list, under another name": [
    TOOL,
    (source) =>
      `import { acceptProposal as draftNow } from "../../proposals/mod.ts";\n` +
      source.replace("return {", "draftNow;\n  return {"),
  ],
  "a lazy import": [
    TOOL,
    (source) => source.replace("return {", `void import("../../proposals/accept.ts");\n  return {`),
  ],
  "a lazy import of the list": [
    TOOL,
    (source) => source.replace("return {", `void import("../../proposals/mod.ts");\n  return {`),
  ],
  "a namespace": [
    TOOL,
    (source) =>
      `import * as all from "../../proposals/mod.ts";\n` +
      source.replace("return {", "all;\n  return {"),
  ],
  "a statement that runs when a file in reach is loaded": [
    "src/proposals/slug.ts",
    (source) => `import { acceptProposal } from "./accept.ts";\n${source}\nacceptProposal;\n`,
  ],
  "a constant that is computed when a file in reach is loaded": [
    "src/proposals/slug.ts",
    (source) =>
      `import { acceptProposal } from "./accept.ts";\n${source}\nconst x = [acceptProposal];\n`,
  ],
  "a helper two files away": [
    "src/proposals/pending.ts",
    (source) =>
      `import { publishActivePointer } from "../knowledge/mod.ts";\n` +
      source.replace("let total = 0;", "let total = 0;\n  publishActivePointer;"),
  ],
};

for (const [what, [path, edit]] of Object.entries(BREACHES)) {
  Deno.test(`the walk sees ${what}`, () => {
    const edited: ReadSource = (asked) => {
      const source = readSource(asked);
      if (asked !== path) return source;
      const changed = edit(source);
      assert.ok(changed.length > source.length);
      return changed;
    };
    assert.ok(violations(reachOf(STARTS, edited)).length > 0);
  });
}

Deno.test("the walk does not take a type for a use, nor what a file in reach does not use", () => {
  const edited: ReadSource = (asked) => {
    const source = readSource(asked);
    if (asked !== TOOL) return source;
    return `import type { Acceptance } from "../../proposals/mod.ts";
import { type Discard, toolNextSteps } from "../../proposals/mod.ts";
type Kept = Acceptance | Discard;
${source.replace("return {", "toolNextSteps;\n  return {")}`;
  };
  assert.deepEqual(violations(reachOf(STARTS, edited)), []);
});

Deno.test("the walk refuses a name that it cannot find, instead of passing over it", () => {
  const edited: ReadSource = (asked) =>
    asked === TOOL
      ? `import { nowhere } from "../../proposals/mod.ts";\n${readSource(asked)}\nnowhere;\n`
      : readSource(asked);
  assert.throws(() => reachOf(STARTS, edited), /nowhere/);
});
