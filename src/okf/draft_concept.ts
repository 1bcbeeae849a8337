/**
 * A concept of a bundle as the draft of one item (okf.md 5.2).
 *
 * @module
 */

import type { SourceAnchor } from "../knowledge/mod.ts";
import { instantOf } from "../platform/timestamp.ts";
import type { ContentDraft, DraftEvidence } from "../proposals/mod.ts";
import type { Flag } from "./import_report.ts";
import type { MappedConcept } from "./map_concepts.ts";
import { plainAnchor } from "./parse_sources.ts";

/** Provider of the anchor that names the bundle's own file. */
const BUNDLE_PROVIDER = "okf-bundle";

/** Who an import drafts for. */
export interface Drafter {
  readonly owner: string;
  readonly author: string;
  readonly evidence: DraftEvidence;
}

/** What a reviewer should know before this concept becomes approved knowledge. */
export function flagsOf({ path, facts }: MappedConcept, now: number): readonly Flag[] {
  const about = { concept: path, itemId: facts.itemId };
  return [
    ...(facts.isDeprecated ? [{ ...about, flag: "deprecated" as const }] : []),
    ...(hasEnded(facts.validTo, now) ? [{ ...about, flag: "stale" as const }] : []),
  ];
}

/** The draft; `now` is in milliseconds. A validity that has ended cannot begin, so it is told only. */
export function conceptDraft(
  concept: MappedConcept,
  { owner, author, evidence }: Drafter,
  now: number,
): ContentDraft {
  const { facts, body, contentType } = concept;
  return {
    itemId: facts.itemId,
    title: facts.title,
    kind: facts.kind,
    owner,
    author,
    description: description(concept, now),
    body,
    contentType,
    evidence,
    sourceAnchors: anchors(concept),
    labels: facts.labels,
    scopePaths: [],
    namespace: null,
    trustLevel: "inferred",
    sensitivity: facts.sensitivity,
    expectedRevision: null,
    validTo: hasEnded(facts.validTo, now) ? null : facts.validTo,
    local: false,
  };
}

function description(concept: MappedConcept, now: number): string {
  const { itemId, validTo } = concept.facts;
  const said = flagsOf(concept, now).map(({ flag }) =>
    flag === "deprecated" ? "is deprecated" : `stopped being valid at ${validTo}`
  );
  const whole = `Import ${itemId} from an OKF bundle`;
  return said.length === 0 ? whole : `${whole}, in which it ${said.join(" and ")}`;
}

/** The bundle's files first; an anchor that says the same again is left out. */
function anchors({ facts, origins }: MappedConcept): readonly SourceAnchor[] {
  const own = origins.map((path) => ({
    ...plainAnchor(BUNDLE_PROVIDER, `okf-bundle:${path}`),
    filePath: path,
  }));
  const seen = new Set<string>();
  return [...own, ...facts.sources].filter((anchor) => {
    const key = JSON.stringify(anchor);
    return !seen.has(key) && seen.add(key);
  });
}

/** Drafts carry whole seconds, so a moment within the running one has ended too. */
function hasEnded(validTo: string | null, now: number): boolean {
  return validTo !== null && instantOf(validTo) <= BigInt(now) * 1000n;
}
