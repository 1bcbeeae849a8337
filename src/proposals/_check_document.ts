import { parseMigration } from "../knowledge/mod.ts";
import { refuseDraft } from "./_refuse.ts";
import { screenedName, screenedReport } from "./_screened.ts";
import type { DraftSurface } from "./model.ts";

/**
 * Validates a complete migration document before anything is written (proposals.md 3.1, rule 7).
 * Names the place and the rule of the first fault, never a value.
 */
export function checkDocument(document: unknown, speaks: DraftSurface["speaks"]): void {
  const [fault] = parseMigration(document).faults;
  if (fault !== undefined) {
    const place = fault.location === "<root>"
      ? "the document"
      : `\`${screenedName(fault.location)}\``;
    throw refuseDraft(
      `Cannot draft: the migration would not be valid, ${place} ${withoutValue(fault.rule)}`,
      speaks === "mcp"
        ? "Correct that part of the arguments and draft again."
        : "Correct that option and draft again.",
    );
  }
  if (holdsUnpairedSurrogate(document)) {
    throw refuseDraft(
      "Cannot draft: a text holds an unpaired surrogate, which no file can hold",
      "Send text that is valid Unicode.",
    );
  }
}

/** The rule alone: what was found instead is the caller's. */
function withoutValue(rule: string): string {
  return screenedReport(rule.replace(/; found [^]*$/, ""));
}

/** `JSON.stringify` writes an unpaired surrogate as an escape and everything else as it is. */
function holdsUnpairedSurrogate(document: unknown): boolean {
  return /(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/.test(JSON.stringify(document));
}
