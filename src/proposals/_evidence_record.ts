import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { JsonSyntaxError, parseExactJson } from "../platform/exact_json.ts";
import { decodeUtf8, readRegularFileIfPresent } from "../platform/files/mod.ts";
import { EVIDENCE_FILE } from "./layout.ts";

/** What a proposal's `evidence.json` says; keys may be absent or of any shape. */
export type EvidenceFacts = Readonly<Record<string, unknown>>;

/** The record of a proposal's directory; `null` when there is none. */
export function readEvidenceRecord(directory: string): EvidenceFacts | null | "unreadable" {
  try {
    const bytes = readRegularFileIfPresent(join(directory, EVIDENCE_FILE));
    if (bytes === null) return null;
    const text = decodeUtf8(bytes);
    const value = text === null ? null : parseExactJson(text, { fractions: "number" });
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as EvidenceFacts
      : "unreadable";
  } catch (error) {
    if (isFault(error) || error instanceof JsonSyntaxError) return "unreadable";
    throw error;
  }
}
