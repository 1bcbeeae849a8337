/**
 * Adopting documents of a scratch project, in a Git repository of their own.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import { loadMigrationSet, SENSITIVITIES } from "../../src/knowledge/mod.ts";
import {
  acceptProposal,
  adoptDocuments,
  type Adoption,
  type AdoptOptions,
} from "../../src/proposals/mod.ts";
import { draftContext } from "./proposals.ts";
import type { ScratchProject } from "./scratch_project.ts";

/** Writes files below the root, with their folders. */
export function write(
  scratch: ScratchProject,
  files: Readonly<Record<string, string | Uint8Array>>,
): void {
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(dirname(scratch.at(path)), { recursive: true });
    if (typeof text === "string") Deno.writeTextFileSync(scratch.at(path), text);
    else Deno.writeFileSync(scratch.at(path), text);
  }
}

function git(scratch: ScratchProject, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command("git", {
    args: ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args],
    cwd: scratch.root,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

/** Commits everything and gives the commit; the remote is left out where it is empty. */
export function commit(scratch: ScratchProject, origin = "https://example.org/shop.git"): string {
  git(scratch, "init", "-q");
  if (origin !== "") git(scratch, "remote", "add", "origin", origin);
  git(scratch, "add", "-A");
  git(scratch, "commit", "-q", "-m", "m");
  return git(scratch, "rev-parse", "HEAD");
}

/** Adopts the whole repository unless told otherwise. */
export function adopt(
  scratch: ScratchProject,
  more: Partial<AdoptOptions> = {},
): Promise<Adoption> {
  const options: AdoptOptions = {
    cwd: scratch.root,
    paths: ["."],
    exclude: [],
    owner: "team",
    author: "ada@example.org",
    namespace: null,
    kind: null,
    local: false,
    dryRun: false,
    ...more,
  };
  return adoptDocuments(options, loadMigrationSet(scratch.project.paths), draftContext(scratch));
}

/** `path: itemId kind title` of each document, for comparing at a glance. */
export async function derived(
  scratch: ScratchProject,
  more: Partial<AdoptOptions> = {},
): Promise<string[]> {
  const { documents } = await adopt(scratch, { ...more, dryRun: true });
  return documents.map((one) => `${one.path}: ${one.itemId} ${one.kind} "${one.title}"`);
}

/** Accepts each proposal. */
export async function acceptAll(
  scratch: ScratchProject,
  ids: readonly { readonly proposalId: string }[],
): Promise<void> {
  for (const { proposalId } of ids) {
    await acceptProposal(scratch.project, scratch.dataDirectory, proposalId);
  }
}

/** Every item of the applied state, as `itemId: title`. */
export async function applied(scratch: ScratchProject): Promise<string[]> {
  await scratch.apply();
  using reader = scratch.reader();
  return [...reader.currentRevisions({ statuses: ["approved"], sensitivities: SENSITIVITIES })]
    .map(({ itemId }) => `${itemId}: ${reader.currentRevision(reader.item(itemId)!)!.title}`)
    .sort();
}
