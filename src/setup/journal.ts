import { dataPaths } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { appendToFile } from "../platform/files/mod.ts";
import type { StepId } from "./report.ts";

/** What setup did to a step. */
export interface JournalEntry {
  readonly detail: string;
  readonly event: "applied" | "failed";
  readonly step: StepId;
}

/** Appends one line; false when it could not be written, which is no error (7.4). */
export function appendToJournal(dataDirectory: string, entry: JournalEntry): boolean {
  const { detail, event, step } = entry;
  try {
    appendToFile(
      dataPaths(dataDirectory).journal,
      `${JSON.stringify({ detail, event, step })}\n`,
      { mode: 0o600, exactMode: true },
    );
    return true;
  } catch (error) {
    if (error instanceof TheurianError) return false;
    throw error;
  }
}
