/**
 * A knowledge migration as plain data, after its file has passed the published schema: defaults are
 * filled in and timestamps stand in their stored form (corpus-and-migrations.md section 9).
 *
 * @module
 */

import type {
  Kind,
  RelationType,
  Sensitivity,
  SourceAnchor,
  SpecificationStatus,
  Status,
  TrustLevel,
} from "./model.ts";

/** The one document version that is read. */
export const MIGRATION_API_VERSION = "theurian.dev/v1";

/** Names of the 14 operations, in the order of the published schema. */
export const OPERATION_NAMES = [
  "createItem",
  "upsertRevision",
  "deprecateItem",
  "restoreItem",
  "addRelation",
  "removeRelation",
  "addAlias",
  "removeAlias",
  "changeSensitivity",
  "changeOwner",
  "registerSpecification",
  "supersedeSpecification",
  "addEvidence",
  "removeEvidence",
] as const;

export interface CreateItem {
  readonly op: "createItem";
  readonly itemId: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly owner: string;
  readonly sensitivity: Sensitivity;
  readonly trustLevel: TrustLevel;
}

/** What a revision says about itself besides its body (section 9.2). */
export interface RevisionMetadata {
  readonly title: string;
  readonly contentType: string;
  readonly kind: Kind;
  readonly status: Status;
  readonly namespace: string;
  readonly owner: string;
  readonly trustLevel: TrustLevel;
  readonly sensitivity: Sensitivity;
  readonly tenantId: string;
  readonly aclGroup: string;
  /** `null`: the migration's `createdAt` (decision 4). */
  readonly validFrom: string | null;
  readonly validTo: string | null;
  readonly labels: readonly string[];
  readonly scopePaths: readonly string[];
  readonly sourceAnchors: readonly SourceAnchor[];
}

export interface UpsertRevision {
  readonly op: "upsertRevision";
  readonly itemId: string;
  readonly revisionId: string;
  /** `null` where the file says nothing or `null`. */
  readonly expectedRevision: string | null;
  /** As the author wrote it: relative to the migrations directory. */
  readonly contentFile: string;
  readonly contentSha256: string;
  readonly metadata: RevisionMetadata;
}

export interface DeprecateItem {
  readonly op: "deprecateItem";
  readonly itemId: string;
  readonly reason: string | null;
  readonly supersededBy: string | null;
}

export interface RestoreItem {
  readonly op: "restoreItem";
  readonly itemId: string;
  readonly reason: string | null;
}

export interface AddRelation {
  readonly op: "addRelation";
  readonly sourceItemId: string;
  readonly relationType: RelationType;
  readonly targetItemId: string;
  readonly note: string | null;
}

export interface RemoveRelation {
  readonly op: "removeRelation";
  readonly sourceItemId: string;
  readonly relationType: RelationType;
  readonly targetItemId: string;
}

export interface AddAlias {
  readonly op: "addAlias";
  readonly alias: string;
  readonly itemId: string;
}

export interface RemoveAlias {
  readonly op: "removeAlias";
  readonly alias: string;
}

export interface ChangeSensitivity {
  readonly op: "changeSensitivity";
  readonly itemId: string;
  readonly sensitivity: Sensitivity;
  readonly reason: string;
}

export interface ChangeOwner {
  readonly op: "changeOwner";
  readonly itemId: string;
  readonly owner: string;
}

export interface RegisterSpecification {
  readonly op: "registerSpecification";
  readonly specId: string;
  readonly itemId: string;
  readonly sourceUri: string;
  readonly format: string;
  readonly status: SpecificationStatus;
}

export interface SupersedeSpecification {
  readonly op: "supersedeSpecification";
  readonly specId: string;
  readonly supersededBy: string;
}

export interface AddEvidence {
  readonly op: "addEvidence";
  readonly itemId: string;
  readonly anchor: SourceAnchor;
  readonly description: string;
  readonly confidence: number;
}

export interface RemoveEvidence {
  readonly op: "removeEvidence";
  readonly itemId: string;
  readonly sourceUri: string;
}

/** One step of a migration, told apart by `op` (section 9.1). */
export type Operation =
  | CreateItem
  | UpsertRevision
  | DeprecateItem
  | RestoreItem
  | AddRelation
  | RemoveRelation
  | AddAlias
  | RemoveAlias
  | ChangeSensitivity
  | ChangeOwner
  | RegisterSpecification
  | SupersedeSpecification
  | AddEvidence
  | RemoveEvidence;

/** One migration file's content. */
export interface Migration {
  readonly id: string;
  /** Stored timestamp text with the author's offset. */
  readonly createdAt: string;
  readonly author: string;
  readonly dependsOn: readonly string[];
  readonly description: string | null;
  readonly operations: readonly Operation[];
}
