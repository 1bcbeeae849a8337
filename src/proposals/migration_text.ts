/**
 * The migration file of a content draft (proposals.md 2.2).
 *
 * @module
 */

import type { SourceAnchor } from "../knowledge/model.ts";
import type { WritableYaml } from "../platform/yaml/mod.ts";
import { contentFileOf } from "./layout.ts";
import type { ContentDraft } from "./model.ts";

/** What is minted and computed for a draft. */
export interface MintedRevision {
  readonly migrationId: string;
  readonly revisionId: string;
  /** UTC, second precision, `+00:00`. */
  readonly createdAt: string;
  readonly tail: string;
  /** Bare hex of the body's bytes. */
  readonly contentSha256: string;
}

/** One item's two operations: `createItem`, a no-op when it exists, and `upsertRevision`. */
export function contentOperations(
  draft: ContentDraft,
  minted: Pick<MintedRevision, "revisionId" | "tail" | "contentSha256">,
): readonly WritableYaml[] {
  return [{
    op: "createItem",
    itemId: draft.itemId,
    kind: draft.kind,
    namespace: draft.namespace ?? "",
    owner: draft.owner,
  }, {
    op: "upsertRevision",
    itemId: draft.itemId,
    revisionId: minted.revisionId,
    expectedRevision: draft.expectedRevision ?? undefined,
    contentFile: contentFileOf(minted.tail),
    contentSha256: minted.contentSha256,
    metadata: {
      title: draft.title,
      contentType: draft.contentType,
      kind: draft.kind,
      namespace: draft.namespace ?? "",
      // Approval is the merge, so what is merged is approved.
      status: "approved",
      owner: draft.owner,
      trustLevel: draft.trustLevel ?? undefined,
      sensitivity: draft.sensitivity ?? undefined,
      validTo: draft.validTo ?? undefined,
      labels: draft.labels.length > 0 ? draft.labels : undefined,
      scope: draft.scopePaths.length > 0 ? { paths: draft.scopePaths } : undefined,
      sourceAnchors: draft.sourceAnchors.length > 0
        ? draft.sourceAnchors.map(writtenAnchor)
        : undefined,
    },
  }];
}

/** A migration document with the given operations, in the order in which keys are written. */
export function migrationDocument(
  head: { id: string; createdAt: string; author: string; description: string },
  operations: readonly WritableYaml[],
): { readonly [key: string]: WritableYaml } {
  return {
    apiVersion: "theurian.dev/v1",
    id: head.id,
    createdAt: head.createdAt,
    author: head.author,
    description: head.description,
    operations,
  };
}

/** An anchor with its absent members left out, in the written order of keys. */
export function writtenAnchor(
  anchor: SourceAnchor,
): { readonly [key: string]: string | number | undefined } {
  return {
    provider: anchor.provider,
    sourceUri: anchor.sourceUri,
    repository: anchor.repository ?? undefined,
    commitSha: anchor.commitSha ?? undefined,
    blobSha: anchor.blobSha ?? undefined,
    filePath: anchor.filePath ?? undefined,
    lineStart: anchor.lineStart ?? undefined,
    lineEnd: anchor.lineEnd ?? undefined,
    externalId: anchor.externalId ?? undefined,
  };
}

/** UTC with second precision, as `createdAt` of a draft is written. */
export function draftTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, "+00:00");
}
