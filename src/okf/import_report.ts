/**
 * What an import says about what it did not take (okf.md 5.5). Refusals carry the text the bundle
 * wrote, never a resolved path or a system's message: a bundle must not map the operator's disk.
 *
 * @module
 */

import { cut } from "../platform/text.ts";
import type { DraftReason } from "./draft_refusal.ts";

/** What was refused. */
export type RefusalKind = "concept" | "reference" | "draft" | "relations";

/** One refusal. */
export interface Refusal {
  readonly kind: RefusalKind;
  readonly key: string;
  readonly literal: string;
  /** Bundle path of the concept it is about, where `key` is not that path. */
  readonly concept?: string;
  /** Why drafting refused it, from a closed list. */
  readonly reason?: DraftReason;
}

/** Something that a reviewer should know of a concept that was taken. */
export interface Flag {
  readonly concept: string;
  readonly itemId: string;
  readonly flag: "deprecated" | "stale";
}

/** The report of one import. */
export interface ImportReport {
  readonly proposalIds: readonly string[];
  readonly conceptsAdmitted: number;
  readonly refusals: readonly Refusal[];
  readonly refusalsByKind: Readonly<Record<string, number>>;
  /** Only when there are any. */
  readonly flagged?: readonly Flag[];
  /** Only for a whole bundle whose manifest names a digest. */
  readonly bundleDigestMatches?: boolean;
  /** Only when nothing was to be drafted. */
  readonly dryRun?: true;
}

/** Most characters of a text that the bundle wrote. */
const SHOWN = 200;

/** A text of the bundle as a refusal shows it. */
export function shownLiteral(text: string): string {
  return cut(text, SHOWN);
}

/** How many of each kind occurred; kinds that did not are left out. */
export function countByKind(refusals: readonly Refusal[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of refusals) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
