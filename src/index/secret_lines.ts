/**
 * Report lines of the secret scan (index-build.md 8.1 and 8.3).
 *
 * @module
 */

import type { Relation, Revision, SourceAnchor } from "../knowledge/model.ts";
import { scanSecrets, type SecretFinding } from "../secrets/mod.ts";

/** Findings that one build reports; the rest waits for the next one. */
export const MAX_FINDINGS = 20;

/** Fields of an anchor in the order they are scanned. */
const ANCHOR_FIELDS = [
  "blobSha",
  "commitSha",
  "externalId",
  "filePath",
  "provider",
  "repository",
  "sourceUri",
] as const satisfies readonly (keyof SourceAnchor)[];

/** Lines for what an item serves: its text, then its anchors. At most {@linkcode MAX_FINDINGS}. */
export function itemSecretLines(
  revision: Pick<Revision, "itemId" | "sourceAnchors">,
  served: string,
): string[] {
  const { itemId } = revision;
  const lines = scanSecrets(served, MAX_FINDINGS).map((finding) => lineOf(itemId, "", finding));
  for (const [index, anchor] of revision.sourceAnchors.entries()) {
    for (const field of ANCHOR_FIELDS) {
      if (lines.length >= MAX_FINDINGS) return lines;
      const value = anchor[field];
      if (value === null || value === "") continue;
      for (const finding of scanSecrets(value, MAX_FINDINGS - lines.length)) {
        lines.push(lineOf(itemId, `sourceAnchors[${index}].${field}`, finding));
      }
    }
  }
  return lines;
}

/**
 * Lines for the relation notes that would be published, in the order of the indexed items, each pair
 * of ends with one note once, at most `limit`. `relations` are all of the state in stored order;
 * `isVisible` says whether an item's status and level are served.
 */
export function noteSecretLines(
  relations: readonly Relation[],
  isIndexed: (itemId: string) => boolean,
  isVisible: (itemId: string) => boolean,
  limit: number,
): string[] {
  const noted = relations.filter(({ note }) => note !== null && note !== "");
  const ends = new Set(noted.flatMap((relation) => [relation.sourceItemId, relation.targetItemId]));
  const byEnd = groupByEnd(relations, ends);
  const lines: string[] = [];
  const reported = new Set<string>();
  for (const itemId of [...ends].filter(isIndexed).sort()) {
    const visible = byEnd.get(itemId)!
      .filter(({ sourceItemId, targetItemId }) =>
        isVisible(sourceItemId) && isVisible(targetItemId)
      );
    for (const [index, { sourceItemId, targetItemId, note }] of visible.entries()) {
      if (lines.length >= limit) return lines;
      if (note === null || note === "") continue;
      const key = JSON.stringify([...[sourceItemId, targetItemId].sort(), note]);
      if (reported.has(key)) continue;
      reported.add(key);
      for (const finding of scanSecrets(note, limit - lines.length)) {
        lines.push(lineOf(itemId, `relations[${index}].note`, finding));
      }
    }
  }
  return lines;
}

function groupByEnd(
  relations: readonly Relation[],
  ends: ReadonlySet<string>,
): ReadonlyMap<string, readonly Relation[]> {
  const byEnd = new Map<string, Relation[]>([...ends].map((end) => [end, []]));
  for (const relation of relations) {
    byEnd.get(relation.sourceItemId)?.push(relation);
    if (relation.targetItemId !== relation.sourceItemId) {
      byEnd.get(relation.targetItemId)?.push(relation);
    }
  }
  return byEnd;
}

function lineOf(itemId: string, channel: string, finding: SecretFinding): string {
  const place = channel === "" ? itemId : `${itemId}:${channel}`;
  return `${place}:${finding.line}:${finding.column}: ${finding.family} (${finding.prefix}...)`;
}

/** What to do about findings. */
export const SECRET_REMEDY =
  "Treat each value as leaked: it is in the applied state and in Git history and is served already. " +
  "Revoke and replace it at its issuer first. Then take it out: a value in a title, body or source " +
  "anchor by a migration with a new revision (keep the labels), a value in a relation note by " +
  "removeRelation, any of them by deprecateItem. Run `theurian migrate apply` and `theurian index " +
  "build`, and build until nothing is reported: one build reports 20 at most. If it is no secret, " +
  "reword it, or set security.secretScan in .theurian/config.yaml";
