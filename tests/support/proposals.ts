/**
 * Drafting in a scratch project, as the command line does and as a tool does.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadMigrationSet, type SourceAnchor } from "../../src/knowledge/mod.ts";
import { type ExitCode, isFault, type TheurianError } from "../../src/platform/errors.ts";
import {
  type Acceptance,
  acceptProposal,
  commandLineSurface,
  type ContentDraft,
  type ContentProposal,
  type DocumentDraft,
  type DocumentProposal,
  draftContent,
  type DraftContext,
  draftDocument,
  type DraftSurface,
} from "../../src/proposals/mod.ts";
import type { ScratchProject } from "./scratch_project.ts";

/** Who drafts in tests. */
export const EVIDENCE = {
  agentId: "agent-1",
  taskId: "task-1",
  model: "test-model",
  reasoning: "Seen in the incident.",
};

/** An anchor with everything optional left out. */
export const ANCHOR: SourceAnchor = {
  provider: "git",
  sourceUri: "git://demo/docs/a.md",
  repository: null,
  commitSha: null,
  blobSha: null,
  filePath: null,
  lineStart: null,
  lineEnd: null,
  externalId: null,
};

/** A draft of `domain.foo` that is fine, changed by `words`. */
export function contentDraft(
  words: Omit<Partial<ContentDraft>, "body"> & { body?: string | Uint8Array } = {},
): ContentDraft {
  const { body = "# F\n", ...rest } = words;
  return {
    itemId: "domain.foo",
    title: "Foo",
    kind: "domain",
    owner: "team",
    author: "ada@example.org",
    description: "Write it down.",
    contentType: "text/markdown",
    evidence: EVIDENCE,
    sourceAnchors: [ANCHOR],
    labels: [],
    scopePaths: [],
    namespace: null,
    trustLevel: null,
    sensitivity: null,
    expectedRevision: null,
    local: false,
    ...rest,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  };
}

/** The context of a draft in `scratch`; the command line's view unless given. */
export function draftContext(scratch: ScratchProject, surface?: DraftSurface): DraftContext {
  return {
    project: scratch.project,
    clock: { now: () => scratch.now },
    ulids: scratch.ulids,
    surface: surface ?? commandLineSurface(loadMigrationSet(scratch.project.paths)),
    lockWaitMs: 5_000,
    nextSteps: () => ["next"],
  };
}

/** Drafts content and gives the payload. */
export async function draft(
  scratch: ScratchProject,
  words: Parameters<typeof contentDraft>[0] = {},
  surface?: DraftSurface,
): Promise<ContentProposal> {
  return (await draftContent(contentDraft(words), draftContext(scratch, surface))).proposal;
}

/** Drafts a document with one or more operations. */
export function draftOperations(
  scratch: ScratchProject,
  operations: unknown,
  more: Record<string, unknown> = {},
): Promise<DocumentProposal> {
  const document = {
    author: "ada@example.org",
    description: "Change it.",
    operations,
    ...more,
  } as DocumentDraft["document"];
  return draftDocument({ document, evidence: EVIDENCE, local: false }, draftContext(scratch));
}

/** Awaits the refusal of `work` and checks its exit code. */
export async function refusal(
  exit: ExitCode,
  work: () => unknown,
): Promise<TheurianError> {
  try {
    await work();
  } catch (error) {
    assert.ok(isFault(error), `not a refusal: ${error}`);
    assert.equal(error.exit, exit, error.message);
    assert.ok(error.remedy.length > 0);
    return error;
  }
  throw new assert.AssertionError({ message: "nothing was refused" });
}

/** Every file below a directory with its text, by path. */
export function tree(path: string): Record<string, string> {
  const files: Record<string, string> = {};
  const walk = (at: string, shown: string) => {
    for (const entry of Deno.readDirSync(at)) {
      const name = shown === "" ? entry.name : `${shown}/${entry.name}`;
      if (entry.isDirectory) walk(join(at, entry.name), name);
      else files[name] = Deno.readTextFileSync(join(at, entry.name));
    }
  };
  try {
    walk(path, "");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return files;
}

/** Changes the text of a proposal's migration. */
export function editMigration(
  scratch: ScratchProject,
  made: { readonly proposalDirectory: string; readonly migrationFile: string },
  edit: (text: string) => string,
): void {
  const path = scratch.at(join(made.proposalDirectory, made.migrationFile));
  const text = Deno.readTextFileSync(path);
  const edited = edit(text);
  assert.notEqual(edited, text, "the edit changes nothing");
  Deno.writeTextFileSync(path, edited);
}

/** A document proposal whose operations a person wrote by hand; drafting would refuse some. */
export async function handWritten(
  scratch: ScratchProject,
  ...operations: readonly Readonly<Record<string, unknown>>[]
): Promise<DocumentProposal> {
  const made = await draftOperations(scratch, [{ op: "removeAlias", alias: "no.such" }]);
  editMigration(
    scratch,
    made,
    (text) => text.replace(/operations:[^]*/, `operations: ${JSON.stringify(operations)}\n`),
  );
  return made;
}

/** The current revision of an item over everything that is landed. */
export function currentRevision(scratch: ScratchProject, itemId: string): string {
  const surface = commandLineSurface(loadMigrationSet(scratch.project.paths));
  return surface.item(itemId)!.currentRevisionId!;
}

/** Accepts a proposal. */
export function accept(scratch: ScratchProject, proposalId: string): Promise<Acceptance> {
  return acceptProposal(scratch.project, scratch.dataDirectory, proposalId);
}

/** Refuses with `exit`, and neither the proposal nor what is landed changes. */
export async function refusesToAccept(
  scratch: ScratchProject,
  exit: 1 | 2 | 4,
  proposalId: string,
): Promise<TheurianError> {
  const before = withoutLock(tree(scratch.at(".theurian")));
  const refused = await refusal(exit, () => accept(scratch, proposalId));
  assert.deepEqual(withoutLock(tree(scratch.at(".theurian"))), before);
  return refused;
}

/** A tree without the lock, whose file comes with the first writer. */
export function withoutLock(files: Record<string, string>): Record<string, string> {
  const { "runtime/write.lock": _, ...rest } = files;
  return rest;
}
