/**
 * From the files of a bundle to the concepts that will be drafted (okf.md 5.1 steps 3 to 6, 5.2, 5.3).
 *
 * @module
 */

import { dirname, join } from "node:path/posix";
import { TheurianError } from "../platform/errors.ts";
import { BODY_EXTENSIONS, type BodyContentType, MAX_OPERATIONS } from "../proposals/mod.ts";
import { listBundle, readBundleFile } from "./bundle_files.ts";
import { type Refusal, shownLiteral } from "./import_report.ts";
import { type ConceptFacts, parseConcept, pathItemId } from "./parse_concept.ts";

/** A concept with its body, ready to be drafted. */
export interface MappedConcept {
  readonly path: string;
  readonly facts: ConceptFacts;
  readonly body: Uint8Array;
  readonly contentType: BodyContentType;
  /** Bundle paths that the body comes from: the concept, then its sidecar. */
  readonly origins: readonly string[];
}

/** What a bundle gave. */
export interface MappedBundle {
  readonly concepts: readonly MappedConcept[];
  readonly refusals: readonly Refusal[];
}

/**
 * Maps every concept, or those whose path-derived id is listed. Throws `bundle-invalid` when they
 * need more operations than one import may draft; nothing has been drafted then.
 */
export function mapConcepts(root: string, items: readonly string[]): MappedBundle {
  const { candidates, refusals: unlisted } = listBundle(root);
  const refusals: Refusal[] = [...unlisted];
  const concepts: MappedConcept[] = [];
  const claimed = new Set<string>();
  const matched = new Set<string>();
  let operations = 0;
  for (const path of candidates) {
    if (items.length > 0 && !items.includes(pathItemId(path))) continue;
    matched.add(pathItemId(path));
    const mapped = mapConcept(root, path, claimed, matched);
    if (!("facts" in mapped)) {
      refusals.push(mapped);
      continue;
    }
    concepts.push(mapped);
    operations += 2 + mapped.facts.edges.length;
    if (operations > MAX_OPERATIONS) throw tooMany();
  }
  for (const item of [...new Set(items)].filter((id) => !matched.has(id)).sort()) {
    const literal = "no concept reachable by this id";
    refusals.push({ kind: "concept", key: shownLiteral(item), literal });
  }
  return { concepts, refusals };
}

function mapConcept(
  root: string,
  path: string,
  claimed: Set<string>,
  matched: Set<string>,
): MappedConcept | Refusal {
  const refuse = (literal: string): Refusal => ({ kind: "concept", key: path, literal });
  const bytes = readBundleFile(root, "", path);
  if ("reason" in bytes) return refuse(bytes.reason);
  const facts = parseConcept(path, bytes);
  if ("reason" in facts) return refuse(facts.reason);
  matched.add(facts.itemId);
  const body = bodyOf(root, path, facts);
  if ("kind" in body) return body;
  if (claimed.has(facts.itemId)) return refuse(`duplicate id: ${facts.itemId}`);
  claimed.add(facts.itemId);
  return { path, facts, ...body };
}

/** The media type is checked before the file it stands for is touched. */
function bodyOf(
  root: string,
  path: string,
  facts: ConceptFacts,
): Pick<MappedConcept, "body" | "contentType" | "origins"> | Refusal {
  const { bodyFile, contentType } = facts;
  if (bodyFile === null) {
    const body = new TextEncoder().encode(facts.inlineBody);
    return { body, contentType: "text/markdown", origins: [path] };
  }
  const refuse = (key: string, literal: string): Refusal => ({
    kind: "reference",
    key,
    literal,
    concept: path,
  });
  if (typeof contentType !== "string") return refuse("theurian_content_type", "the key is absent");
  if (!isBodyType(contentType)) return refuse("theurian_content_type", shownLiteral(contentType));
  const bytes = bodyFile === "" ? { reason: "" } : readBundleFile(root, path, bodyFile);
  if ("reason" in bytes) return refuse("theurian_body_file", shownLiteral(bodyFile));
  return { body: bytes, contentType, origins: [path, join(dirname(path), bodyFile)] };
}

function isBodyType(contentType: string): contentType is BodyContentType {
  return Object.hasOwn(BODY_EXTENSIONS, contentType);
}

function tooMany(): TheurianError {
  return new TheurianError(
    "bundle-invalid",
    `Cannot import the bundle: it needs more than ${MAX_OPERATIONS} operations`,
    { remedy: "Import parts of it with `--item ID`, given once for each concept" },
  );
}
