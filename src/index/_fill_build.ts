/**
 * Bringing the rows of a build file in line with a plan. The same code writes a build from scratch, a
 * build on top of an earlier one and a purge, so that the three cannot differ.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import type { StateReader } from "../knowledge/state_reader.ts";
import { writeLexicon } from "../lexicon/mod.ts";
import { deleteDocument, type DocumentParts, insertDocument } from "./_document_rows.ts";
import { regrowScopes, type ScopeLabels, scopeOfDocument } from "./_forest_rows.ts";
import type { ChangePlan } from "./_plan_changes.ts";
import { type DecidedFacts, writeBuildFacts } from "./_write_build_facts.ts";

/** Told how many of the documents to write are written. */
export type FillProgress = (done: number, total: number) => void;

/** What to derive, and what the file says of itself. */
export interface FillOptions {
  readonly parts: DocumentParts;
  readonly facts: DecidedFacts;
  readonly progress?: FillProgress;
}

/**
 * Removes and writes documents, derives the forest of the scopes they belong to, refreshes the word
 * index and the facts, in one transaction. `reader` is not asked when nothing is added.
 */
export function fillBuild(
  connection: Connection,
  reader: StateReader | null,
  plan: ChangePlan,
  options: FillOptions,
): void {
  connection.transaction(() => {
    const scopes: ScopeLabels[] = [];
    for (const id of plan.removed) {
      const scope = scopeOfDocument(connection, id);
      if (scope !== null) scopes.push(scope);
      deleteDocument(connection, id);
    }
    if (plan.added.length > 0) scopes.push(...insertAll(connection, reader!, plan, options));
    if (options.parts.forest) regrowScopes(connection, options.facts.projectId, scopes);
    if (plan.removed.length + plan.added.length > 0 || plan.kept === 0) writeLexicon(connection);
    writeBuildFacts(connection, options.facts);
  });
}

function insertAll(
  connection: Connection,
  reader: StateReader,
  plan: ChangePlan,
  options: FillOptions,
): ScopeLabels[] {
  const scopes = new Map<string, ScopeLabels>();
  let nextId = connection.get<{ next: number }>(
    "SELECT coalesce(max(id), 0) + 1 AS next FROM chunks",
  )!.next;
  for (const [done, { itemId, factsSha256 }] of plan.added.entries()) {
    options.progress?.(done, plan.added.length);
    const item = reader.item(itemId);
    const revision = item === null ? null : reader.currentRevision(item);
    if (item === null || revision === null) throw vanished();
    const inserted = insertDocument(
      connection,
      nextId,
      { item, revision, factsSha256 },
      options.parts,
    );
    if (inserted === null) continue;
    nextId += inserted.chunks;
    const { namespace } = revision;
    const { sensitivity, status } = item;
    scopes.set(`${namespace}\x1f${sensitivity}\x1f${status}`, { namespace, sensitivity, status });
  }
  return [...scopes.values()];
}

function vanished(): TheurianError {
  return new TheurianError(
    "build-failed",
    "Cannot build the index: the state database changed while it was read",
    { remedy: "Run again: theurian index build" },
  );
}
