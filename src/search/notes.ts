/**
 * The sentence of an answer that says how it came about and what to run when it could be better.
 *
 * @module
 */

import type { FallbackReason } from "../index/mod.ts";

const BUILD = "Run `theurian index build` to rank answers.";

const WHY: Readonly<Record<FallbackReason, string>> = {
  "no-index": `No index is published, so the query was looked for as one piece of text. ${BUILD}`,
  "index-pointer-invalid":
    `The index pointer is unusable, so the query was looked for as one piece of text. ${BUILD}`,
  "index-purge-failed":
    "The index could not be rid of withdrawn content and is not read; the query was looked for as " +
    `one piece of text. ${BUILD}`,
  "index-file-missing":
    `The published index file is missing; the query was looked for as one piece of text. ${BUILD}`,
  "index-schema-mismatch":
    "The index file is not of this version; the query was looked for as one piece of text. " +
    BUILD,
  "index-unbuilt":
    "The index was not built by this installation and is not read; the query was looked for as one " +
    `piece of text. ${BUILD}`,
  "index-project-mismatch":
    "The index was built for another project; the query was looked for as one piece of text. " +
    BUILD,
  "serving-profile-mismatch":
    "The index was built under another serving profile; the query was looked for as one piece of " +
    `text. ${BUILD}`,
  "unapproved-not-indexed":
    "The index holds no unapproved knowledge; the query was looked for as one piece of text. Run " +
    "`theurian index build --include-unapproved` to rank it.",
  "index-unreadable":
    `The index cannot be read; the query was looked for as one piece of text. ${BUILD}`,
};

const UNRECORDED: Readonly<Partial<Record<FallbackReason, string>>> = {
  "index-project-mismatch":
    "The index does not say which project it was built for; the query was looked for as one piece " +
    `of text. ${BUILD}`,
  "serving-profile-mismatch":
    "The index does not say which serving profile it was built under; the query was looked for as " +
    `one piece of text. ${BUILD}`,
};

/** The note of an answer without the index. */
export function scanNote(reason: FallbackReason, unrecorded: boolean): string {
  return (unrecorded ? UNRECORDED[reason] : undefined) ?? WHY[reason];
}

/** The note of a ranked answer. */
export function rankedNote(stale: boolean): string {
  return stale
    ? "The index was built from an earlier state: what changed since is left out, and nothing old is " +
      "shown. Run `theurian index build` to find it."
    : "Ranked by the words of the query over the index of the current state.";
}
