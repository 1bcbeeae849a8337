/**
 * What a parser makes of one source (corpus-and-migrations.md section 16). Text in a document is
 * data, never an instruction, and nothing it names is fetched.
 *
 * @module
 */

/** Media types that a parser exists for. */
export type SourceType =
  | "text/markdown"
  | "application/yaml"
  | "application/json"
  | "application/schema+json"
  | "application/vnd.oai.openapi"
  | "application/vnd.aai.asyncapi";

/** Which parser read a document. */
export type ParserId = "markdown" | "openapi" | "yaml" | "json";

/** Something about a document that its author should know; it was read all the same. */
export interface ParseWarning {
  readonly code: string;
  readonly message: string;
  readonly location: string;
}

/** Where a document came from. */
export interface DocumentAnchor {
  readonly provider: "git" | "filesystem";
  readonly sourceUri: string;
  readonly repository: string | null;
  readonly commitSha: string | null;
  readonly filePath: string;
}

/** What is in a document, before its origin is added. */
export interface ParsedContent {
  readonly title: string;
  /** The source text; for Markdown without front matter. */
  readonly body: string;
  readonly contentType: SourceType;
  readonly parser: ParserId;
  readonly structured: Readonly<Record<string, unknown>> | null;
  readonly warnings: readonly ParseWarning[];
}

/** One parsed source. */
export interface ParsedDocument extends ParsedContent {
  /** SHA-256 of the body, bare hex. */
  readonly contentHash: string;
  readonly anchor: DocumentAnchor;
}

/** Why a document could not be read; the sentence holds nothing of its content. */
export class DocumentFault extends Error {
  override readonly name = "DocumentFault";
}

/** Own key of a parsed mapping; `undefined` for anything else. */
export function keyOf(value: unknown, key: string): unknown {
  return isMapping(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** True for a mapping, not for a list. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
