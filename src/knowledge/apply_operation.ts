/**
 * What each of the 14 operations does to a state, and when it refuses
 * (corpus-and-migrations.md 12.2). Times come from the migration, never from a clock (decision 4).
 *
 * @module
 */

import type { FaultCode } from "../platform/errors.ts";
import { TheurianError } from "../platform/errors.ts";
import { isBlank } from "../platform/text.ts";
import { instantOf } from "../platform/timestamp.ts";
import type {
  AddEvidence,
  CreateItem,
  DeprecateItem,
  Operation,
  RegisterSpecification,
  UpsertRevision,
} from "./migration.ts";
import type { LoadedMigration } from "./migration_set.ts";
import {
  AUTHORED_HERE_LABEL,
  DEFAULT_ACL_GROUP,
  DEFAULT_TENANT,
  type Sensitivity,
  type Status,
} from "./model.ts";
import {
  EMPTY_TRACE,
  type LabelField,
  type LabelTrace,
  type MoveWatch,
} from "./permissive_moves.ts";
import type { ItemFacts, TracedItem, WorkingState } from "./working_state.ts";

/** Where an operation stands and what it works on. */
export interface OperationContext {
  readonly state: WorkingState;
  readonly loaded: LoadedMigration;
  readonly index: number;
  readonly watch: MoveWatch;
  /** Ids of items whose content or visibility changed, for the index purge (12.3). */
  readonly touched: Set<string>;
}

/** Applies one operation; throws `migration-refused` or `revision-conflict` and changes nothing then. */
export function applyOperation(operation: Operation, context: OperationContext): void {
  const { state } = context;
  const { createdAt } = context.loaded.migration;
  switch (operation.op) {
    case "createItem":
      return createItem(operation, context);
    case "upsertRevision":
      return upsertRevision(operation, context);
    case "deprecateItem":
      return deprecateItem(operation, context);
    case "restoreItem":
      return relabel(context, operation.itemId, { status: "approved" });
    case "addRelation":
      if (operation.sourceItemId === operation.targetItemId) {
        throw refusal(context, `${operation.sourceItemId} cannot be related to itself`);
      }
      return state.addRelation({
        sourceItemId: operation.sourceItemId,
        relationType: operation.relationType,
        targetItemId: operation.targetItemId,
        note: operation.note,
        createdAt,
      });
    case "removeRelation":
      return state.removeRelation(operation);
    case "addAlias":
      if (operation.alias === operation.itemId) {
        throw refusal(context, `${operation.alias} cannot be an alias of itself`);
      }
      return state.putAlias({ alias: operation.alias, itemId: operation.itemId, createdAt });
    case "removeAlias":
      return state.removeAlias(operation.alias);
    case "changeSensitivity":
      return relabel(context, operation.itemId, { sensitivity: operation.sensitivity });
    case "changeOwner": {
      const { item, trace } = knownItem(context, operation.itemId);
      return state.putItem({ item: { ...item, owner: operation.owner }, trace });
    }
    case "registerSpecification":
      return registerSpecification(operation, context);
    case "supersedeSpecification": {
      const found = state.specification(operation.specId);
      if (found === null) return;
      const { supersededBy } = operation;
      return state.putSpecification({ ...found, status: "superseded", supersededBy });
    }
    case "addEvidence":
      return addEvidence(operation, context);
    case "removeEvidence":
      return state.removeEvidence(operation.itemId, operation.sourceUri);
  }
}

function createItem(operation: CreateItem, context: OperationContext): void {
  if (context.state.item(operation.itemId) !== null) return;
  const { itemId, kind, namespace, owner, sensitivity, trustLevel } = operation;
  writeItem(context, null, {
    itemId,
    namespace,
    kind,
    status: "draft",
    currentRevisionId: null,
    owner,
    trustLevel,
    sensitivity,
    tenantId: DEFAULT_TENANT,
    aclGroup: DEFAULT_ACL_GROUP,
    validFrom: context.loaded.migration.createdAt,
    validTo: null,
  });
}

function upsertRevision(operation: UpsertRevision, context: OperationContext): void {
  const { state, loaded, touched } = context;
  const { itemId, revisionId, contentSha256, metadata } = operation;
  const before = state.item(itemId);
  refuseConflict(operation, before?.item.currentRevisionId ?? null, context);
  const { createdAt, author, id: migrationId } = loaded.migration;
  const validFrom = metadata.validFrom ?? createdAt;
  refuseUnsound(operation, validFrom, context);
  refuseReuse(operation, context);
  const { kind, namespace, status, trustLevel, sensitivity, owner, tenantId, aclGroup, validTo } =
    metadata;
  const shared = {
    itemId,
    kind,
    namespace,
    status,
    trustLevel,
    sensitivity,
    owner,
    tenantId,
    aclGroup,
    validFrom,
    validTo,
  };
  if (state.revision(revisionId) === null) {
    const { title, contentType, labels, scopePaths, sourceAnchors } = metadata;
    state.appendRevision({
      ...shared,
      revisionId,
      migrationId,
      title,
      contentType,
      contentSha256,
      labels,
      scopePaths,
      sourceAnchors,
      author,
      createdAt,
    });
  }
  touched.add(itemId);
  writeItem(context, before, { ...shared, currentRevisionId: revisionId }, true);
}

/** Optimistic concurrency (12.2): conflicts are reported, never merged. */
function refuseConflict(
  { itemId, revisionId, expectedRevision }: UpsertRevision,
  current: string | null,
  context: OperationContext,
): void {
  const matches = expectedRevision === null
    ? current === null || current === revisionId
    : current === expectedRevision;
  if (matches) return;
  const expected = expectedRevision === null ? "no revision" : `revision ${expectedRevision}`;
  const actual = current === null ? "no revision" : `revision ${current}`;
  throw refusal(context, `it expects ${expected} of ${itemId} and finds ${actual}`, {
    fault: "revision-conflict",
    remedy:
      `Decide which text should stand, then set expectedRevision in ${context.loaded.path} to the revision it replaces`,
  });
}

function refuseUnsound(
  { metadata, revisionId }: UpsertRevision,
  validFrom: string,
  context: OperationContext,
): void {
  const { title, validTo, sourceAnchors, labels } = metadata;
  if (isBlank(title)) throw refusal(context, `the title of revision ${revisionId} is blank`);
  if (validTo !== null && instantOf(validTo) <= instantOf(validFrom)) {
    throw refusal(context, `revision ${revisionId} ends ("validTo") before or when it begins`);
  }
  if (sourceAnchors.length === 0 && !labels.includes(AUTHORED_HERE_LABEL)) {
    throw refusal(
      context,
      `revision ${revisionId} has neither a source anchor nor the label ${AUTHORED_HERE_LABEL}`,
    );
  }
}

function refuseReuse(operation: UpsertRevision, context: OperationContext): void {
  const { itemId, revisionId, contentSha256 } = operation;
  const existing = context.state.revision(revisionId);
  if (existing === null) return;
  if (existing.itemId !== itemId) {
    throw refusal(context, `revision ${revisionId} belongs to ${existing.itemId} already`);
  }
  if (existing.contentSha256 !== contentSha256) {
    throw refusal(context, `revision ${revisionId} exists with another body and never changes`);
  }
}

function deprecateItem(operation: DeprecateItem, context: OperationContext): void {
  const { itemId, supersededBy, reason } = operation;
  knownItem(context, itemId);
  if (supersededBy === itemId) throw refusal(context, `${itemId} cannot supersede itself`);
  relabel(context, itemId, { status: "deprecated" });
  if (supersededBy === null) return;
  context.state.addRelation({
    sourceItemId: supersededBy,
    relationType: "supersedes",
    targetItemId: itemId,
    note: reason,
    createdAt: context.loaded.migration.createdAt,
  });
}

function registerSpecification(operation: RegisterSpecification, context: OperationContext): void {
  const { specId, itemId, sourceUri, format, status } = operation;
  const { item } = knownItem(context, itemId);
  if (item.currentRevisionId === null) throw refusal(context, `${itemId} has no revision`);
  context.state.putSpecification({
    specId,
    revisionId: item.currentRevisionId,
    title: specId,
    status,
    contentFormat: format,
    sourceUri,
    validFrom: context.loaded.migration.createdAt,
    validTo: null,
    supersededBy: context.state.specification(specId)?.supersededBy ?? null,
  });
}

function addEvidence(operation: AddEvidence, context: OperationContext): void {
  const { itemId, anchor, description, confidence } = operation;
  if (isBlank(description)) throw refusal(context, `the description of evidence is blank`);
  const { createdAt } = context.loaded.migration;
  context.state.putEvidence({ itemId, anchor, description, confidence, createdAt });
}

function knownItem(context: OperationContext, itemId: string): TracedItem {
  const found = context.state.item(itemId);
  if (found === null) throw refusal(context, `no item has the id ${itemId} at this point`);
  return found;
}

/** Moves one label of an item that must exist. */
function relabel(
  context: OperationContext,
  itemId: string,
  label: { readonly status: Status } | { readonly sensitivity: Sensitivity },
): void {
  const before = knownItem(context, itemId);
  const { watch } = context;
  const item = { ...before.item, ...label };
  const field: LabelField = "status" in label ? "status" : "sensitivity";
  const trace = {
    ...before.trace,
    [field]: watch.record({
      itemId,
      field,
      before: before.item[field],
      after: item[field],
      fromUpsert: false,
      trace: before.trace[field],
    }),
  };
  context.touched.add(itemId);
  context.state.putItem({ item, trace });
}

/** Writes a whole item, both labels included. */
function writeItem(
  context: OperationContext,
  before: TracedItem | null,
  item: ItemFacts,
  fromUpsert = false,
): void {
  const old = before?.trace ?? EMPTY_TRACE;
  const record = (field: LabelField) =>
    context.watch.record({
      itemId: item.itemId,
      field,
      before: before?.item[field] ?? null,
      after: item[field],
      fromUpsert,
      trace: old[field],
    });
  const trace: LabelTrace = { status: record("status"), sensitivity: record("sensitivity") };
  context.state.putItem({ item, trace });
}

function refusal(
  { loaded, index }: OperationContext,
  why: string,
  options: { readonly fault?: FaultCode; readonly remedy?: string } = {},
): TheurianError {
  return new TheurianError(
    options.fault ?? "migration-refused",
    `Cannot apply operations/${index} of migration ${loaded.migration.id}: ${why}`,
    {
      remedy: options.remedy ??
        `Correct ${loaded.path} at operations/${index}, then run: theurian migrate validate`,
      details: { path: loaded.path, location: `operations/${index}` },
      ...(options.fault === "revision-conflict" ? { wireCode: "REVISION_CONFLICT" as const } : {}),
    },
  );
}
