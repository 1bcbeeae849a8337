/**
 * One concept document: front matter, body, relations (okf.md 3.2 to 3.4).
 *
 * @module
 */

import { writeReadableYaml } from "../platform/yaml/mod.ts";
import type { SourceAnchor } from "../knowledge/mod.ts";
import { conceptPath, conceptPlace, sidecarExtension } from "./bundle_paths.ts";
import { escapeLabel, escapeListLine } from "./markdown_escapes.ts";
import type { BundleConcept, BundleEdge } from "./population.ts";

/** Version of the layout that exporter and importer agree on. */
export const EXPORT_VERSION = 1;

/** Name of the file that holds the body beside its concept; `null` for Markdown. */
export function sidecarName({ item, revision }: BundleConcept): string | null {
  if (revision.contentType === "text/markdown") return null;
  return conceptPlace(item.itemId).stem + sidecarExtension(revision.contentType);
}

/** The document's text. */
export function renderConcept(concept: BundleConcept, generatedBy: string): string {
  const sidecar = sidecarName(concept);
  const body = sidecar === null ? concept.revision.body : sidecarNotice(sidecar);
  return [`---\n${frontMatter(concept, generatedBy)}---`, body, relationsSection(concept.edges)]
    .map(withoutEdgeFeeds).join("\n\n") + "\n";
}

function frontMatter({ item, revision, edges }: BundleConcept, generatedBy: string): string {
  return writeReadableYaml({
    type: revision.kind,
    title: revision.title,
    tags: revision.labels,
    status: "stable",
    stale_after: revision.validTo ?? undefined,
    generated: { by: generatedBy, at: revision.createdAt },
    sources: revision.sourceAnchors.map(sourceEntry),
    theurian_export_version: EXPORT_VERSION,
    theurian_item_id: item.itemId,
    theurian_revision_id: revision.revisionId,
    theurian_status: item.status,
    theurian_namespace: revision.namespace,
    theurian_owner: revision.owner,
    theurian_trust_level: revision.trustLevel,
    theurian_sensitivity: item.sensitivity,
    theurian_content_type: revision.contentType,
    theurian_body_file: sidecarName({ item, revision, edges }) ?? undefined,
    theurian_relations: [...edges].sort(compareForData).map(({ type, target, note }) => ({
      type,
      target,
      note: note ?? undefined,
    })),
  });
}

function sourceEntry(anchor: SourceAnchor) {
  return {
    resource: anchor.sourceUri,
    theurian_anchor: {
      provider: anchor.provider,
      repository: anchor.repository ?? undefined,
      commit_sha: anchor.commitSha ?? undefined,
      file_path: anchor.filePath ?? undefined,
      line_start: anchor.lineStart ?? undefined,
      line_end: anchor.lineEnd ?? undefined,
    },
  };
}

function sidecarNotice(name: string): string {
  return "The body of this concept is not Markdown. It is kept byte for byte in " +
    `[${name}](${name}).`;
}

/** The section behind a body that shows its edges to a reader, as it stands in a document. */
export function relationsSection(edges: readonly BundleEdge[]): string {
  const lines = ["## Relations"];
  let type: string | null = null;
  for (const edge of [...edges].sort(compareForReading)) {
    if (edge.type !== type) lines.push("", `### ${edge.type}`, "");
    type = edge.type;
    lines.push(`* [${escapeLabel(edge.target)}](/${conceptPath(edge.target)})`);
    lines.push(...noteLines(edge.note));
  }
  return withoutEdgeFeeds(lines.join("\n"));
}

function noteLines(note: string | null): string[] {
  const lines = (note ?? "").split("\n").map(escapeListLine);
  const start = lines.findIndex((line) => line !== "");
  if (start === -1) return [];
  return lines.slice(start).map((line, i) => i === 0 ? `  * ${line}` : line && `    ${line}`);
}

function compareForReading(a: BundleEdge, b: BundleEdge): number {
  return compare(a.type, b.type) || compare(a.target, b.target) ||
    compare(a.storedSource, b.storedSource);
}

function compareForData(a: BundleEdge, b: BundleEdge): number {
  return compare(a.type, b.type) || compare(a.target, b.target) ||
    Number(a.note === null) - Number(b.note === null) || compare(a.note ?? "", b.note ?? "");
}

/** By code unit. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withoutEdgeFeeds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "\n") start++;
  while (end > start && text[end - 1] === "\n") end--;
  return text.slice(start, end);
}
