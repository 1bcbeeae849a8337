/**
 * The checks every answer of the provider passes before a field of it is used (review.md 5, "Checks
 * on every answer").
 *
 * @module
 */

import { JsonSyntaxError, parseExactJson } from "../../platform/exact_json.ts";
import { isObject } from "../evidence/fields.ts";
import { GradedRefusal } from "./grades.ts";

type JsonObject = Record<string, unknown>;

/** What `gh` gave back for one request. */
export interface CallResult {
  readonly code: number;
  readonly stdout: Uint8Array;
}

/** A checked answer. */
export interface RepositoryAnswer {
  readonly repository: JsonObject;
  /** When the provider says its rate limit refills; `null` when it does not say. */
  readonly limitResetsAt: string | null;
}

/** One page of a connection. */
export interface Page {
  readonly nodes: readonly JsonObject[];
  /** Cursor of the next page, or `null` on the last one. */
  readonly next: string | null;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const INSTANT_SHAPE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/**
 * Reads one answer for `repository` (the allowlist entry). Throws {@linkcode GradedRefusal}: a
 * failed call, text that is not one JSON object, another repository, a repository that is not public.
 */
export function readAnswer(result: CallResult, repository: string): RepositoryAnswer {
  if (result.code !== 0) throw failedCall(result);
  const answer = parseAnswer(result.stdout);
  const data = isObject(answer["data"]) ? answer["data"] : {};
  const found = data["repository"];
  const name = isObject(found) ? found["nameWithOwner"] : undefined;
  if (!isObject(found) || typeof name !== "string") {
    if (saysRateLimited(answer)) throw rateLimited();
    throw new GradedRefusal("tool-failed", "Cannot use the answer of gh: it names no repository");
  }
  if (name.toLowerCase() !== repository.toLowerCase()) {
    throw new GradedRefusal(
      "repository-resolved-elsewhere",
      "Cannot ingest the repository: GitHub answers under another name, so it was renamed or moved",
    );
  }
  if (found["isPrivate"] !== false) {
    throw new GradedRefusal(
      "repository-is-private",
      "Cannot ingest the repository: GitHub does not say that it is public",
    );
  }
  return { repository: found, limitResetsAt: resetOf(data["rateLimit"]) };
}

function failedCall(result: CallResult): GradedRefusal {
  try {
    if (saysRateLimited(parseAnswer(result.stdout))) return rateLimited();
  } catch (error) {
    if (!(error instanceof GradedRefusal)) throw error;
  }
  return new GradedRefusal("tool-failed", "Cannot fetch reviews: gh ended with an error");
}

function rateLimited(): GradedRefusal {
  return new GradedRefusal(
    "tool-failed",
    "Cannot fetch reviews: the rate limit of GitHub is used up",
    true,
  );
}

/** By the answer's own words: what `gh` says beside it is for people and may change. */
function saysRateLimited({ errors, message }: JsonObject): boolean {
  if (typeof message === "string" && /rate limit/i.test(message)) return true;
  return Array.isArray(errors) &&
    errors.some((error) =>
      isObject(error) && (error["type"] === "RATE_LIMITED" || error["type"] === "RATE_LIMIT")
    );
}

function parseAnswer(bytes: Uint8Array): JsonObject {
  try {
    const value = parseExactJson(utf8.decode(bytes), { fractions: "nan" });
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw new GradedRefusal("tool-failed", "Cannot use the answer of gh: it is not one JSON object");
}

function resetOf(rateLimit: unknown): string | null {
  const resetAt = isObject(rateLimit) ? rateLimit["resetAt"] : null;
  return typeof resetAt === "string" && INSTANT_SHAPE.test(resetAt) ? resetAt : null;
}

/** Reads one page; members of `nodes` that are no objects are dropped, no list reads as none. */
export function readPage(connection: unknown): Page {
  const nodes = nodesOf(connection);
  if (!hasNextPage(connection)) return { nodes, next: null };
  const cursor = pageInfo(connection)["endCursor"];
  if (
    typeof cursor !== "string" || cursor === "" || cursor.includes("\0") || !cursor.isWellFormed()
  ) {
    throw new GradedRefusal(
      "tool-failed",
      "Cannot use the answer of gh: its next page has no name",
    );
  }
  return { nodes, next: cursor };
}

/** The objects of a connection's `nodes`. */
export function nodesOf(connection: unknown): JsonObject[] {
  const nodes = isObject(connection) ? connection["nodes"] : null;
  return Array.isArray(nodes) ? nodes.filter(isObject) : [];
}

/** A connection's `hasNextPage`; a missing connection has none and is refused. */
export function hasNextPage(connection: unknown): boolean {
  const more = pageInfo(connection)["hasNextPage"];
  if (typeof more === "boolean") return more;
  throw new GradedRefusal(
    "tool-failed",
    "Cannot use the answer of gh: a list in it does not say whether more follows",
  );
}

function pageInfo(connection: unknown): JsonObject {
  const info = isObject(connection) ? connection["pageInfo"] : null;
  return isObject(info) ? info : {};
}
