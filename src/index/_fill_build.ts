/**
 * Bringing the rows of a build file in line with a plan. The same code writes a build from scratch, a
 * build on top of an earlier one and a purge, so that the three cannot differ.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import type { StateReader } from "../knowledge/state_reader.ts";
import { LexiconWriter, removeFromLexicon } from "../lexicon/mod.ts";
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
  /** Bytes of postings that are held in memory at once; the word index's own bound unless given. */
  readonly mostPostings?: number | undefined;
}

/**
 * Removes and writes documents, derives the forest of the scopes they belong to, brings the word
 * index and the facts up to date, in one transaction. `reader` is not asked when nothing is added.
 */
export function fillBuild(
  connection: Connection,
  reader: StateReader | null,
  plan: ChangePlan,
  options: FillOptions,
): void {
  connection.transaction(() => {
    const scopes = removeAll(connection, plan.removed);
    const inserted = insertAll(connection, reader, plan, options);
    if (options.parts.forest) {
      for (const id of inserted) scopes.push(scopeOfDocument(connection, id)!);
      regrowScopes(connection, options.facts.projectId, scopes);
    }
    writeBuildFacts(connection, options.facts);
  });
}

/** Removes documents and returns the scopes they were in. */
function removeAll(connection: Connection, documents: readonly number[]): ScopeLabels[] {
  removeFromLexicon(connection, documents);
  const scopes: ScopeLabels[] = [];
  for (const id of documents) {
    const scope = scopeOfDocument(connection, id);
    if (scope !== null) scopes.push(scope);
    deleteDocument(connection, id);
  }
  return scopes;
}

/** Writes the planned documents behind all that are there and returns their ids. */
function insertAll(
  connection: Connection,
  reader: StateReader | null,
  plan: ChangePlan,
  { progress, parts, mostPostings }: FillOptions,
): number[] {
  const inserted: number[] = [];
  const words = new LexiconWriter(connection, mostPostings);
  let nextId = connection.get<{ next: number }>(
    "SELECT coalesce(max(id), 0) + 1 AS next FROM chunks",
  )!.next;
  for (const [done, item] of plan.added.entries()) {
    progress?.(done, plan.added.length);
    const revision = reader?.revision(item.revisionId) ?? null;
    if (revision === null) throw vanished();
    const source = {
      item: { ...item, projectId: reader!.projectId },
      revision,
      factsSha256: item.factsSha256,
    };
    const document = insertDocument(connection, nextId, source, parts, words);
    if (document === null) continue;
    inserted.push(document.id);
    nextId += document.chunks;
  }
  words.save();
  return inserted;
}

function vanished(): TheurianError {
  return new TheurianError(
    "build-failed",
    "Cannot build the index: the state database changed while it was read",
    { remedy: "Run again: theurian index build" },
  );
}
