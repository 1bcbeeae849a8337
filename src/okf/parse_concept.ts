/**
 * One concept document of a foreign bundle as data (okf.md 5.2). Its front matter is untrusted:
 * status, trust, owner and namespace are never read from it.
 *
 * @module
 */

import { cutFrontMatter } from "../ingest/mod.ts";
import {
  isItemId,
  type Kind,
  KINDS,
  type RelationType,
  SENSITIVITIES,
  type Sensitivity,
  type SourceAnchor,
} from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8 } from "../platform/files/mod.ts";
import { parseTimestamp } from "../platform/timestamp.ts";
import { parseBundleYaml } from "../platform/yaml/mod.ts";
import { shownLiteral } from "./import_report.ts";
import { sourceAnchors } from "./parse_sources.ts";
import { EXPORT_VERSION, relationsSection } from "./render_concept.ts";

/** An edge as a concept lists it. */
export interface ListedEdge {
  readonly type: string;
  readonly target: string;
  readonly note: string | null;
}

/** What a concept says that an import uses. */
export interface ConceptFacts {
  readonly itemId: string;
  readonly title: string;
  readonly kind: Kind;
  readonly labels: readonly string[];
  /** Anchors of the acceptable sources, in order. */
  readonly sources: readonly SourceAnchor[];
  readonly edges: readonly ListedEdge[];
  /** A level above the default, or `null`: front matter can only raise it. */
  readonly sensitivity: Sensitivity | null;
  /** Stored form of the end of validity that one of our own exports names. */
  readonly validTo: string | null;
  /** The bundle says that its own people have withdrawn this. */
  readonly isDeprecated: boolean;
  /** The text behind the front matter; of our own exports, the body alone. */
  readonly inlineBody: string;
  /** File that holds the body instead, with its media type as written. */
  readonly bodyFile: string | null;
  readonly contentType: unknown;
}

type FrontMatter = Readonly<Record<string, unknown>>;

/** Reads a concept; answers a reason of the closed list instead when it cannot be taken. */
export function parseConcept(
  path: string,
  bytes: Uint8Array,
): ConceptFacts | { readonly reason: string } {
  const text = decodeUtf8(bytes);
  if (text === null) return { reason: "not UTF-8" };
  const cut = cutFrontMatter(text);
  if (cut === null) return { reason: "no front matter" };
  const front = readFrontMatter(cut.block);
  if ("reason" in front) return { reason: front.reason as string };
  const missing = ["type", "title", "status"].filter((key) => nonEmpty(front.value, key) === null);
  if (missing.length > 0) return { reason: `required key(s) missing: ${missing.join(", ")}` };
  return factsOf(path, front.value, cut.rest);
}

/** The id a path stands for: what it is called where no id is declared. */
export function pathItemId(path: string): string {
  return path.replace(/\.md$/, "").replaceAll("/", ".");
}

function readFrontMatter(block: string): { value: FrontMatter } | { reason: string } {
  try {
    const value = parseBundleYaml(new TextEncoder().encode(block), "the front matter");
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { value: value as FrontMatter }
      : { reason: "YAML invalid: the front matter is no mapping" };
  } catch (error) {
    if (isFault(error, "yaml-too-large")) return { reason: "YAML too large" };
    if (isFault(error)) return { reason: `YAML invalid: ${shownLiteral(error.message)}` };
    throw error;
  }
}

function factsOf(
  path: string,
  front: FrontMatter,
  rest: string,
): ConceptFacts | { readonly reason: string } {
  const itemId = nonEmpty(front, "theurian_item_id") ?? pathItemId(path);
  if (!isItemId(itemId)) return { reason: `invalid item id: ${shownLiteral(itemId)}` };
  const type = front["type"] as string;
  const kind = KINDS.find((known) => known === type);
  if (kind === undefined) return { reason: `unrecognised type: ${shownLiteral(type)}` };
  const edges = edgesOf(front["theurian_relations"]);
  const isOurs = front["theurian_export_version"] === EXPORT_VERSION;
  const bodyFile = front["theurian_body_file"];
  return {
    itemId,
    title: front["title"] as string,
    kind,
    labels: [...new Set(textsOf(front["tags"]))],
    sources: sourceAnchors(front["sources"], isOurs),
    edges,
    sensitivity: raisedSensitivity(front["theurian_sensitivity"]),
    validTo: isOurs ? storedMoment(front["stale_after"]) : null,
    isDeprecated: front["status"] === "deprecated",
    inlineBody: isOurs ? withoutGenerated(rest, edges) : rest,
    bodyFile: typeof bodyFile === "string" ? bodyFile : null,
    contentType: front["theurian_content_type"],
  };
}

/**
 * Takes off what our exporter adds around a body: the blank line in front and the relations section
 * behind it, if it is exactly the one that the listed edges give. Otherwise nothing is taken off.
 */
function withoutGenerated(rest: string, edges: readonly ListedEdge[]): string {
  const section = relationsSection(edges.map((edge) => ({
    ...edge,
    type: edge.type as RelationType,
    storedSource: "",
  })));
  const tail = `\n\n${section}\n`;
  if (!rest.startsWith("\n") || !rest.endsWith(tail)) return rest;
  const body = rest.slice(1, -tail.length);
  return body === "" ? "" : `${body}\n`;
}

function edgesOf(value: unknown): ListedEdge[] {
  return (Array.isArray(value) ? value : []).flatMap((entry) => {
    const { type, target, note } = mappingOf(entry);
    if (typeof type !== "string" || typeof target !== "string") return [];
    return [{ type, target, note: typeof note === "string" ? note : null }];
  });
}

function storedMoment(value: unknown): string | null {
  return typeof value === "string" ? parseTimestamp(value)?.text ?? null : null;
}

/** The default is `internal`; a level below it is not taken from a bundle. */
function raisedSensitivity(value: unknown): Sensitivity | null {
  const level = SENSITIVITIES.find((known) => known === value);
  const above = level !== undefined &&
    SENSITIVITIES.indexOf(level) > SENSITIVITIES.indexOf("internal");
  return above ? level : null;
}

function nonEmpty(front: FrontMatter, key: string): string | null {
  const value = front[key];
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).filter((entry) => typeof entry === "string");
}

function mappingOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}
