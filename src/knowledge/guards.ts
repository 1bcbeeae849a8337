/**
 * Rules over a whole set, applied migrations included, that need no database
 * (corpus-and-migrations.md section 13). They stop what would look enforced and is not, and what
 * would let a withdrawn page surface under another name.
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { escapeControls } from "../platform/text.ts";
import { applyStatuses } from "./migration_outline.ts";
import { type BodyClaim, inApplicationOrder, type MigrationSet } from "./migration_set.ts";
import { DEFAULT_ACL_GROUP, DEFAULT_TENANT, type Status } from "./model.ts";

/** One violation: the migration to refuse, and why. */
export interface GuardViolation {
  readonly guard: "unenforceable-scope" | "shared-body" | "alias-collision";
  readonly migrationId: string;
  /** The migration's file, relative to the project. */
  readonly path: string;
  /** What is wrong, without a capital and a full stop. */
  readonly reason: string;
}

/** Every violation: the scope guard's, then the body guard's, then the alias guard's. */
export function guardViolations(set: MigrationSet): readonly GuardViolation[] {
  return [...unenforceableScopes(set), ...sharedBodies(set), ...aliasCollisions(set)];
}

/** Ids of the migrations that the guards refuse, first seen first, each once. */
export function refusedIds(set: MigrationSet): readonly string[] {
  return [...new Set(guardViolations(set).map((violation) => violation.migrationId))];
}

/**
 * Throws `migration-refused` for the first violation. `isRecorded` tells whether a state on disk
 * holds a migration: editing an applied file alone would only trip the checksum check.
 */
export function checkGuards(set: MigrationSet, isRecorded: (migrationId: string) => boolean): void {
  const [violation] = guardViolations(set);
  if (violation === undefined) return;
  const edit = `Correct ${violation.path}`;
  const rebuild = isRecorded(violation.migrationId)
    ? `${edit}, delete .theurian/state/, then run: theurian migrate apply`
    : `${edit}, then run: theurian migrate validate`;
  throw new TheurianError(
    "migration-refused",
    `Cannot accept migration ${violation.migrationId}: ${violation.reason}`,
    { remedy: rebuild, details: { path: violation.path, guard: violation.guard } },
  );
}

/** Guard 1: a tenant or group other than the default would look like an enforced boundary. */
function unenforceableScopes(set: MigrationSet): GuardViolation[] {
  const violations: GuardViolation[] = [];
  for (const { migration, outline, path } of set.migrations) {
    if (!outline.hasForeignScope) continue;
    migration.operations.forEach((operation, index) => {
      if (operation.op !== "upsertRevision") return;
      const { tenantId, aclGroup } = operation.metadata;
      const fields = [
        ...(tenantId === DEFAULT_TENANT ? [] : [`tenantId (only ${DEFAULT_TENANT} is served)`]),
        ...(aclGroup === DEFAULT_ACL_GROUP
          ? []
          : [`aclGroup (only ${DEFAULT_ACL_GROUP} is served)`]),
      ];
      if (fields.length === 0) return;
      violations.push({
        guard: "unenforceable-scope",
        migrationId: migration.id,
        path,
        reason: `operations/${index} sets ${fields.join(" and ")}, which nothing enforces`,
      });
    });
  }
  return violations;
}

/** Guard 2: one body file backs one revision id; identity is the file, not its name or bytes. */
function sharedBodies(set: MigrationSet): GuardViolation[] {
  if (!sharesBodies(set)) return [];
  const owners = new Map<string, BodyClaim>();
  const violations: GuardViolation[] = [];
  for (const claim of set.bodyClaims) {
    const owner = owners.get(claim.identity);
    if (owner === undefined) owners.set(claim.identity, claim);
    else if (owner.revisionId !== claim.revisionId) violations.push(sharedBody(set, owner, claim));
  }
  return violations;
}

/** Whether two revisions stand on one file, told without their migrations' operations. */
function sharesBodies(set: MigrationSet): boolean {
  if (!namesFilesTwice(set)) return false;
  const owners = new Map<string, string>();
  for (const { outline: { bodies }, bodyFiles: { devices, inodes } } of set.migrations) {
    for (const [index, revisionId] of bodies.revisionIds.entries()) {
      const identity = `${devices[index]}:${inodes[index]}`;
      const owner = owners.get(identity);
      if (owner === undefined) owners.set(identity, revisionId);
      else if (owner !== revisionId) return true;
    }
  }
  return false;
}

/** Whether two bodies may be one file. Sorting numbers is far quicker than remembering them. */
function namesFilesTwice({ migrations }: MigrationSet): boolean {
  const inodes = Float64Array.from(migrations.flatMap(({ bodyFiles }) => bodyFiles.inodes)).sort();
  return inodes.some((inode, i) => i > 0 && inode === inodes[i - 1]);
}

function sharedBody(set: MigrationSet, owner: BodyClaim, claim: BodyClaim): GuardViolation {
  const spelled = (one: BodyClaim) =>
    `revision ${one.revisionId} in migration ${one.migrationId} ("${
      escapeControls(one.contentFile)
    }")`;
  return {
    guard: "shared-body",
    migrationId: claim.migrationId,
    path: set.byId.get(claim.migrationId)!.path,
    reason: `one body file stands for ${spelled(owner)} and for ${spelled(claim)}`,
  };
}

/** Guard 3: after the whole set, a live alias may equal an item's id only once that is deprecated. */
function aliasCollisions(set: MigrationSet): GuardViolation[] {
  const { aliases, statuses } = finalNames(set);
  const violations: GuardViolation[] = [];
  for (const [alias, addedBy] of [...aliases].sort(([a], [b]) => a < b ? -1 : 1)) {
    const status = statuses.get(alias);
    if (status === undefined || status === "deprecated") continue;
    violations.push({
      guard: "alias-collision",
      migrationId: addedBy,
      path: set.byId.get(addedBy)!.path,
      reason: `it makes ${alias} an alias, but that is an item whose final status is ${status}`,
    });
  }
  return violations;
}

function finalNames(set: MigrationSet): {
  /** Live alias to the migration that added it last. */
  aliases: ReadonlyMap<string, string>;
  /** Of every item, when there is an alias. */
  statuses: ReadonlyMap<string, Status>;
} {
  const aliases = new Map<string, string>();
  const statuses = new Map<string, Status>();
  const ordered = inApplicationOrder(set);
  for (const { outline } of ordered) {
    for (const [alias, added] of outline.aliases) {
      if (added) aliases.set(alias, outline.id);
      else aliases.delete(alias);
    }
  }
  if (aliases.size > 0) { for (const { outline } of ordered) applyStatuses(statuses, outline); }
  return { aliases, statuses };
}
