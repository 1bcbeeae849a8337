/**
 * The knowledge model: closed vocabularies and the values of one canonical state
 * (corpus-and-migrations.md sections 3, 9.3 and 11). Plain readonly data; behaviour lives beside it.
 *
 * @module
 */

/** Life-cycle states of an item. */
export const STATUSES = [
  "draft",
  "proposed",
  "approved",
  "deprecated",
  "superseded",
  "rejected",
] as const;
export type Status = typeof STATUSES[number];

/** Statuses that can ever be shown; `draft` and `proposed` only when a caller asks for them. */
export const SURFACEABLE_STATUSES = ["approved", "draft", "proposed"] as const;
export type SurfaceableStatus = typeof SURFACEABLE_STATUSES[number];

export const TRUST_LEVELS = ["unverified", "inferred", "reviewed", "authoritative"] as const;
export type TrustLevel = typeof TRUST_LEVELS[number];

/** From least to most restricted; compare by position, never as text. */
export const SENSITIVITIES = ["public", "internal", "confidential", "restricted"] as const;
export type Sensitivity = typeof SENSITIVITIES[number];

export const KINDS = [
  "architecture",
  "decision",
  "domain",
  "operations",
  "security",
  "testing",
  "api",
  "incident",
  "convention",
  "rejected-approach",
  "known-exception",
] as const;
export type Kind = typeof KINDS[number];

export const RELATION_TYPES = [
  "implements",
  "implemented_by",
  "supersedes",
  "superseded_by",
  "depends_on",
  "constrained_by",
  "verified_by",
  "reviewed_by",
  "contradicts",
  "related_to",
  "derived_from",
  "evidenced_by",
  "rejects",
  "exception_to",
] as const;
export type RelationType = typeof RELATION_TYPES[number];

/** Relation types that read the other way round when seen from their target. */
export const INVERSE_RELATIONS: Readonly<Partial<Record<RelationType, RelationType>>> = {
  implements: "implemented_by",
  implemented_by: "implements",
  supersedes: "superseded_by",
  superseded_by: "supersedes",
};

export const SPECIFICATION_STATUSES = ["draft", "active", "superseded", "retired"] as const;
export type SpecificationStatus = typeof SPECIFICATION_STATUSES[number];

/** The tenant and group every item belongs to; any other value is refused (section 13, guard 1). */
export const DEFAULT_TENANT = "local";
export const DEFAULT_ACL_GROUP = "default";

/** The label that lets a revision stand without a source anchor (INV-8). */
export const AUTHORED_HERE_LABEL = "authored-in-theurian";

/** Where a revision comes from (section 9.3). Absent facts are `null`. */
export interface SourceAnchor {
  readonly provider: string;
  readonly sourceUri: string;
  readonly repository: string | null;
  readonly commitSha: string | null;
  readonly blobSha: string | null;
  readonly filePath: string | null;
  readonly lineStart: number | null;
  readonly lineEnd: number | null;
  readonly externalId: string | null;
}

/** The mutable pointer of one piece of knowledge. Live answers take these facts from here. */
export interface Item {
  readonly itemId: string;
  readonly projectId: string;
  readonly namespace: string;
  readonly kind: Kind;
  readonly status: Status;
  readonly currentRevisionId: string | null;
  readonly owner: string;
  readonly trustLevel: TrustLevel;
  readonly sensitivity: Sensitivity;
  readonly tenantId: string;
  readonly aclGroup: string;
  /** Stored timestamp text with the author's offset; see `platform/timestamp.ts`. */
  readonly validFrom: string;
  readonly validTo: string | null;
}

/** An immutable revision of an item. */
export interface Revision {
  readonly revisionId: string;
  readonly itemId: string;
  readonly projectId: string;
  readonly migrationId: string;
  readonly title: string;
  /** Exact UTF-8 decode of the body file: BOM, CRLF and NUL stay. */
  readonly body: string;
  readonly contentType: string;
  /** SHA-256 of the body's bytes, bare hex. */
  readonly contentSha256: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly status: Status;
  readonly trustLevel: TrustLevel;
  readonly sensitivity: Sensitivity;
  readonly owner: string;
  readonly tenantId: string;
  readonly aclGroup: string;
  readonly labels: readonly string[];
  readonly scopePaths: readonly string[];
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly author: string;
  readonly createdAt: string;
  readonly sourceAnchors: readonly SourceAnchor[];
}

/** A directed edge as it is stored. */
export interface Relation {
  readonly sourceItemId: string;
  readonly relationType: RelationType;
  readonly targetItemId: string;
  readonly note: string | null;
  readonly createdAt: string;
}

/** A retired id and the item it leads to; one hop only. */
export interface Alias {
  readonly alias: string;
  readonly itemId: string;
  readonly createdAt: string;
}

/** Evidence for an item, unique by item and source. */
export interface Evidence {
  readonly itemId: string;
  /** Without `blobSha`, which evidence does not keep. */
  readonly anchor: SourceAnchor;
  readonly description: string;
  readonly confidence: number;
  readonly createdAt: string;
}

/** A registered specification. */
export interface Specification {
  readonly specId: string;
  readonly revisionId: string;
  readonly title: string;
  readonly status: SpecificationStatus;
  readonly contentFormat: string;
  readonly sourceUri: string;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly supersededBy: string | null;
}

/** The levels a ceiling admits: itself and everything below it (retrieval.md 8.2). */
export function sensitivitiesUpTo(ceiling: Sensitivity): readonly Sensitivity[] {
  return SENSITIVITIES.slice(0, SENSITIVITIES.indexOf(ceiling) + 1);
}

/** Statuses a read admits (retrieval.md 8.1). */
export function admittedStatuses(includeUnapproved: boolean): readonly SurfaceableStatus[] {
  return includeUnapproved ? SURFACEABLE_STATUSES : ["approved"];
}

/** The text that is indexed and hashed: title, blank line, body (index-build.md 3.3). */
export function servedText(title: string, body: string): string {
  return `${title}\n\n${body}`;
}
