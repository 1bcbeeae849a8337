import type { JsonObject } from "../platform/json.ts";
import { escapeControls } from "../platform/text.ts";

/** What kept an item out, in words. */
const GATES: Readonly<Record<string, string>> = {
  "status": "its status is not served",
  "sensitivity": "it is above the serving profile",
  "no-revision": "the applied state has no revision of it",
  "revision-mismatch": "the index holds an older revision: build it again",
  "content-mismatch": "the index holds another title or text: build it again",
  "as-of": "it is not valid at the moment asked for",
  "diversity": "another passage of it stands further up",
  "limit": "it ranks below the limit",
  "budget": "the token budget was used up",
  "not-indexed": "it is not in the index",
  "no-match": "no way of searching found it",
};

/** An explanation as a person reads it: results by rank, then what was found and kept out. */
export function explanationText(explained: JsonObject): string {
  const results = explained["results"] as readonly JsonObject[];
  const removed = explained["removed"] as readonly JsonObject[];
  const retrieval = explained["retrieval"] as JsonObject;
  const item = explained["item"] as JsonObject | undefined;
  const lines = results.length === 0 ? ["Nothing is found."] : results.flatMap(resultLines);
  if (item !== undefined) lines.push("", "Asked for:", ...removedLines(item));
  if (removed.length > 0) lines.push("", "Found and kept out:", ...removed.flatMap(removedLines));
  const way = retrieval["indexed"] === true
    ? `index ${retrieval["indexBuildId"]}${retrieval["stale"] === true ? ", stale" : ""}`
    : `scan (${retrieval["fallbackReason"]})`;
  lines.push("", `${way}, mode ${retrieval["mode"]}, ${retrieval["usedTokens"]} tokens`);
  lines.push(String(retrieval["note"]));
  // A term may hold what the caller asked for, line feeds included.
  return lines.map(escapeControls).join("\n");
}

function resultLines(result: JsonObject): string[] {
  const { rank, itemId, fusedScore } = result;
  const score = typeof fusedScore === "number" ? `  ${fusedScore}` : "";
  return [`${String(rank).padStart(2)}. ${itemId}${score}`, ...pathLines(result)];
}

function removedLines(entry: JsonObject): string[] {
  const gate = entry["gate"];
  const why = typeof gate === "string" ? `: ${GATES[gate] ?? gate}` : "";
  return [`  - ${entry["itemId"]}${why}`, ...pathLines(entry)];
}

function pathLines(entry: JsonObject): string[] {
  const paths = (entry["paths"] ?? []) as readonly JsonObject[];
  return paths.map(({ path, rank, score, matchedTerms }) => {
    const terms = ((matchedTerms ?? []) as readonly string[]).join(", ");
    return `      ${path} #${rank}, ${score}${terms === "" ? "" : `: ${terms}`}`;
  });
}
