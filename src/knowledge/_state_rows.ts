/** Rows of a state file and the values they stand for. Both directions, so that they cannot drift. */

import { decodeUtf8 } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { isBlank } from "../platform/text.ts";
import {
  anchor,
  damaged,
  decodeFacts,
  numberWithin,
  text,
  textOrNull,
  texts,
  timestamp,
  timestampOrNull,
  word,
} from "./_stored_facts.ts";
import {
  AUTHORED_HERE_LABEL,
  type Evidence,
  KINDS,
  type Relation,
  RELATION_TYPES,
  type Revision,
  SENSITIVITIES,
  type Specification,
  SPECIFICATION_STATUSES,
  STATUSES,
  TRUST_LEVELS,
} from "./model.ts";
import type { FieldTrace, LabelTrace } from "./permissive_moves.ts";
import type { ItemFacts, RevisionFacts, TracedItem } from "./working_state.ts";

export interface ItemRow {
  readonly item_id: string;
  readonly status: string;
  readonly sensitivity: string;
  readonly revision_id: string | null;
  readonly facts: string;
}

/** Columns of an item in the order of the table. Key order is fixed: equal items, equal bytes. */
export function itemColumns(
  { item, trace }: TracedItem,
): [string, string, string, string | null, string, string] {
  const { namespace, kind, owner, trustLevel, tenantId, aclGroup, validFrom, validTo } = item;
  const facts = { namespace, kind, owner, trustLevel, tenantId, aclGroup, validFrom, validTo };
  const field = ({ last, top }: FieldTrace) => ({
    last: last === null ? null : { id: last.id, withdrew: last.withdrew },
    top: top === null ? null : { id: top.id, value: top.value },
  });
  return [
    item.itemId,
    item.status,
    item.sensitivity,
    item.currentRevisionId,
    JSON.stringify(facts),
    JSON.stringify({ status: field(trace.status), sensitivity: field(trace.sensitivity) }),
  ];
}

export function itemOf(row: ItemRow): ItemFacts {
  const facts = decodeFacts(row.facts);
  return {
    itemId: row.item_id,
    namespace: text(facts, "namespace"),
    kind: word(facts["kind"], KINDS, "kind"),
    status: word(row.status, STATUSES, "status"),
    currentRevisionId: row.revision_id,
    owner: text(facts, "owner"),
    trustLevel: word(facts["trustLevel"], TRUST_LEVELS, "trust level"),
    sensitivity: word(row.sensitivity, SENSITIVITIES, "sensitivity"),
    tenantId: text(facts, "tenantId"),
    aclGroup: text(facts, "aclGroup"),
    validFrom: timestamp(facts, "validFrom"),
    validTo: timestampOrNull(facts, "validTo"),
  };
}

export function traceOf(stored: unknown): LabelTrace {
  const trace = decodeFacts(stored);
  const field = (value: unknown): FieldTrace => {
    const { last, top } = (value ?? {}) as FieldTrace;
    const sound = (last === null || typeof last?.id === "string") &&
      (top === null || (typeof top?.id === "string" && typeof top.value === "string"));
    if (!sound) throw damaged("a stored trace is not in its form");
    return { last, top };
  };
  return { status: field(trace["status"]), sensitivity: field(trace["sensitivity"]) };
}

export interface RevisionRow {
  readonly revision_id: string;
  readonly item_id: string;
  readonly content_sha256: string;
  readonly facts: string;
  readonly bytes: Uint8Array | null;
}

/** What a revision row keeps as JSON. */
export function revisionFacts(revision: RevisionFacts): string {
  const { revisionId: _id, itemId: _item, contentSha256: _hash, ...facts } = revision;
  return JSON.stringify(facts);
}

/** A checked revision: its body has its hash (INV-3), it has a title and a source (INV-8). */
export function revisionOf(row: RevisionRow, projectId: string): Revision {
  const facts = decodeFacts(row.facts);
  const title = text(facts, "title");
  const labels = texts(facts, "labels");
  const anchors: unknown = facts["sourceAnchors"];
  if (!Array.isArray(anchors)) throw damaged("a stored row lacks its anchors");
  if (isBlank(title)) throw damaged("a stored title is blank");
  if (anchors.length === 0 && !labels.includes(AUTHORED_HERE_LABEL)) {
    throw damaged("a stored revision has no source");
  }
  return {
    revisionId: row.revision_id,
    itemId: row.item_id,
    projectId,
    migrationId: text(facts, "migrationId"),
    title,
    body: bodyOf(row),
    contentType: text(facts, "contentType"),
    contentSha256: row.content_sha256,
    kind: word(facts["kind"], KINDS, "kind"),
    namespace: text(facts, "namespace"),
    status: word(facts["status"], STATUSES, "status"),
    trustLevel: word(facts["trustLevel"], TRUST_LEVELS, "trust level"),
    sensitivity: word(facts["sensitivity"], SENSITIVITIES, "sensitivity"),
    owner: text(facts, "owner"),
    tenantId: text(facts, "tenantId"),
    aclGroup: text(facts, "aclGroup"),
    labels,
    scopePaths: texts(facts, "scopePaths"),
    validFrom: timestamp(facts, "validFrom"),
    validTo: timestampOrNull(facts, "validTo"),
    author: text(facts, "author"),
    createdAt: timestamp(facts, "createdAt"),
    sourceAnchors: anchors.map(anchor),
  };
}

function bodyOf({ bytes, content_sha256 }: RevisionRow): string {
  if (bytes === null) throw damaged("the body of a revision is missing");
  const body = sha256Hex(bytes) === content_sha256 ? decodeUtf8(bytes) : null;
  if (body === null) throw damaged("a stored body does not have its recorded hash");
  return body;
}

export interface RelationRow {
  readonly source_item_id: string;
  readonly relation_type: string;
  readonly target_item_id: string;
  readonly facts: string;
}

export function relationFacts({ note, createdAt }: Relation): string {
  return JSON.stringify({ note, createdAt });
}

export function relationOf(row: RelationRow): Relation {
  const facts = decodeFacts(row.facts);
  return {
    sourceItemId: row.source_item_id,
    relationType: word(row.relation_type, RELATION_TYPES, "relation type"),
    targetItemId: row.target_item_id,
    note: textOrNull(facts, "note"),
    createdAt: timestamp(facts, "createdAt"),
  };
}

export interface EvidenceRow {
  readonly item_id: string;
  readonly facts: string;
}

/** A source as a key: JSON, so that a NUL in it stays part of the key. */
export function sourceKey(sourceUri: string): string {
  return JSON.stringify(sourceUri);
}

export function evidenceFacts({ itemId: _item, ...facts }: Evidence): string {
  return JSON.stringify(facts);
}

export function evidenceOf(row: EvidenceRow): Evidence {
  const facts = decodeFacts(row.facts);
  return {
    itemId: row.item_id,
    anchor: anchor(facts["anchor"]),
    description: text(facts, "description"),
    confidence: numberWithin(facts, "confidence", 0, 1),
    createdAt: timestamp(facts, "createdAt"),
  };
}

export interface SpecificationRow {
  readonly spec_id: string;
  readonly facts: string;
}

export function specificationFacts(specification: Specification): string {
  const { revisionId, title, status, contentFormat, sourceUri } = specification;
  const { validFrom, validTo, supersededBy } = specification;
  return JSON.stringify({
    revisionId,
    title,
    status,
    contentFormat,
    sourceUri,
    validFrom,
    validTo,
    supersededBy,
  });
}

export function specificationOf(row: SpecificationRow): Specification {
  const facts = decodeFacts(row.facts);
  return {
    specId: row.spec_id,
    revisionId: text(facts, "revisionId"),
    title: text(facts, "title"),
    status: word(facts["status"], SPECIFICATION_STATUSES, "specification status"),
    contentFormat: text(facts, "contentFormat"),
    sourceUri: text(facts, "sourceUri"),
    validFrom: timestamp(facts, "validFrom"),
    validTo: timestampOrNull(facts, "validTo"),
    supersededBy: textOrNull(facts, "supersededBy"),
  };
}
