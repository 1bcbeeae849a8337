/**
 * Rules for the values of a draft that need no state (proposals.md 3.1). Each refusal names the
 * argument in the caller's own spelling and never repeats its value.
 *
 * @module
 */

import { isItemId } from "../knowledge/mod.ts";
import { AUTHORED_HERE_LABEL } from "../knowledge/model.ts";
import { SOURCE_FILE_BYTES } from "../platform/files/mod.ts";
import { codePointLength, isBlank, strip } from "../platform/text.ts";
import { isUlid } from "../platform/ulid.ts";
import { argumentName, refuseDraft } from "./_refuse.ts";
import type { ContentDraft, DraftEvidence, DraftSurface } from "./model.ts";

const LONGEST_ID = 200;

type Speaks = DraftSurface["speaks"];

/**
 * Checks a content draft and gives it back with `expectedRevision` in its canonical spelling.
 * Throws `invalid-input`.
 */
export function checkContentValues(draft: ContentDraft, speaks: Speaks): ContentDraft {
  if (!isItemId(draft.itemId)) {
    throw refuseDraft(
      `Cannot draft: ${argumentName(speaks, "itemId")} is not a dotted item id`,
      "Use lower-case words joined by dashes and dots, such as `architecture.retry-policy`, at most 200 characters.",
    );
  }
  const expectedRevision = draft.expectedRevision === null
    ? null
    : strip(draft.expectedRevision).toUpperCase();
  if (expectedRevision !== null && !isUlid(expectedRevision)) {
    throw refuseDraft(
      `Cannot draft: ${argumentName(speaks, "expectedRevision")} is not a revision id`,
      "Give the item's current revision id (26 characters), or leave it out for a new item.",
    );
  }
  checkEvidence(draft.evidence, speaks);
  for (const key of ["title", "owner", "author", "description"] as const) {
    requireText(draft[key], key, speaks);
  }
  checkBody(draft.body, speaks);
  checkOrigin(draft, speaks);
  checkLabels(draft);
  return { ...draft, expectedRevision };
}

/** Who drafted and why; `agentId` and `taskId` 1 to 200 characters, the rest not blank. */
export function checkEvidence(evidence: DraftEvidence, speaks: Speaks): void {
  for (const key of ["agentId", "taskId"] as const) {
    const length = codePointLength(evidence[key]);
    if (length < 1 || length > LONGEST_ID) {
      throw refuseDraft(
        `Cannot draft: ${argumentName(speaks, key)} must hold 1 to 200 characters`,
        `Give ${argumentName(speaks, key)} a short identifier of who or what drafts this.`,
      );
    }
    requireWellFormed(evidence[key], key, speaks);
  }
  for (const key of ["model", "reasoning"] as const) requireText(evidence[key], key, speaks);
}

function requireText(value: string, key: string, speaks: Speaks): void {
  requireWellFormed(value, key, speaks);
  if (isBlank(value)) {
    throw refuseDraft(
      `Cannot draft: ${argumentName(speaks, key)} is blank`,
      `Give ${argumentName(speaks, key)} some text.`,
    );
  }
}

function requireWellFormed(value: string, key: string, speaks: Speaks): void {
  if (!value.isWellFormed()) {
    throw refuseDraft(
      `Cannot draft: ${
        argumentName(speaks, key)
      } holds an unpaired surrogate, which no file can hold`,
      "Send text that is valid Unicode.",
    );
  }
}

function checkBody(body: Uint8Array, speaks: Speaks): void {
  const name = speaks === "mcp" ? "`body`" : "the body file";
  if (body.length > SOURCE_FILE_BYTES) {
    throw refuseDraft(
      `Cannot draft: ${name} is larger than 8 MiB`,
      "Split the document into several items, or shorten it.",
    );
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw refuseDraft(`Cannot draft: ${name} is not UTF-8`, "Save the document as UTF-8.", {
      cause,
    });
  }
  if (isBlank(text)) {
    throw refuseDraft(`Cannot draft: ${name} is blank`, "Give the document some text.");
  }
}

/** A revision needs an anchor or the label that says it was written here (INV-8). */
function checkOrigin(draft: ContentDraft, speaks: Speaks): void {
  for (const anchor of draft.sourceAnchors) {
    if (anchor.provider === "" || anchor.sourceUri === "") {
      throw refuseDraft(
        "Cannot draft: a source anchor has an empty provider or source URI",
        "Name where the text comes from, such as provider `git` and a URI of the file.",
      );
    }
  }
  if (draft.sourceAnchors.length === 0 && !draft.labels.includes(AUTHORED_HERE_LABEL)) {
    throw refuseDraft(
      "Cannot draft: the text has neither a source anchor nor the label of text written here",
      speaks === "mcp"
        ? `Give \`sourceAnchors\`, or add the label \`${AUTHORED_HERE_LABEL}\`.`
        : "Give `--source-uri`, or say `--authored-here`.",
    );
  }
}

/** Words that a label is made of, and patterns that are not blank. Throws `invalid-input`. */
export function checkLabels(
  { labels, scopePaths }: Pick<ContentDraft, "labels" | "scopePaths">,
): void {
  for (const label of labels) {
    // deno-lint-ignore no-control-regex
    if (label === "" || /[\u0000-\u001f\u007f]/.test(label)) {
      throw refuseDraft(
        "Cannot draft: a label is empty or holds a control character",
        "Use short words as labels.",
      );
    }
  }
  if (scopePaths.some(isBlank)) {
    throw refuseDraft(
      "Cannot draft: a scope path is blank",
      "Give glob patterns such as `src/billing/**`, or leave them out.",
    );
  }
}
