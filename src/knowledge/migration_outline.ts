/**
 * What the rules over a whole set ask of each migration, in little: with it a set is loaded and judged
 * without the operations of migrations that are known already.
 *
 * @module
 */

import type { Migration, Operation } from "./migration.ts";
import { DEFAULT_ACL_GROUP, DEFAULT_TENANT, type Status } from "./model.ts";

/** The bodies that a migration names, in the order of its operations; all lists are of one length. */
export interface OutlinedBodies {
  /** `contentFile`, as the author wrote it. */
  readonly files: readonly string[];
  /** `contentSha256`. */
  readonly hashes: readonly string[];
  readonly revisionIds: readonly string[];
}

/** A migration without what only an apply needs. */
export interface MigrationOutline {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly bodies: OutlinedBodies;
  /**
   * The status that the migration leaves each item in that it gives one, as `itemId status` lines; an
   * item that it only creates is `created`.
   */
  readonly statuses: string;
  /** Aliases that it adds (`true`) and removes (`false`), in order. */
  readonly aliases: readonly (readonly [alias: string, added: boolean])[];
  /** Whether a revision names another tenant or group than the default. */
  readonly hasForeignScope: boolean;
}

/** The outline of a migration. */
export function outlineOf({ id, dependsOn, operations }: Migration): MigrationOutline {
  const bodies = { files: [] as string[], hashes: [] as string[], revisionIds: [] as string[] };
  const statuses = new Map<string, Status | "created">();
  const aliases: [string, boolean][] = [];
  let hasForeignScope = false;
  for (const operation of operations) {
    noteStatus(statuses, operation);
    if (operation.op === "addAlias" || operation.op === "removeAlias") {
      aliases.push([operation.alias, operation.op === "addAlias"]);
    }
    if (operation.op !== "upsertRevision") continue;
    bodies.files.push(operation.contentFile);
    bodies.hashes.push(operation.contentSha256);
    bodies.revisionIds.push(operation.revisionId);
    const { tenantId, aclGroup } = operation.metadata;
    hasForeignScope ||= tenantId !== DEFAULT_TENANT || aclGroup !== DEFAULT_ACL_GROUP;
  }
  const lines = [...statuses].map(([itemId, status]) => `${itemId} ${status}\n`).join("");
  return { id, dependsOn, bodies, statuses: lines, aliases, hasForeignScope };
}

function noteStatus(statuses: Map<string, Status | "created">, operation: Operation): void {
  switch (operation.op) {
    case "createItem":
      if (!statuses.has(operation.itemId)) statuses.set(operation.itemId, "created");
      break;
    case "upsertRevision":
      statuses.set(operation.itemId, operation.metadata.status);
      break;
    case "deprecateItem":
      statuses.set(operation.itemId, "deprecated");
      break;
    case "restoreItem":
      statuses.set(operation.itemId, "approved");
  }
}

/** Brings the final statuses of items up to date with what one more migration leaves. */
export function applyStatuses(statuses: Map<string, Status>, outline: MigrationOutline): void {
  for (const line of outline.statuses.split("\n")) {
    const gap = line.indexOf(" ");
    if (gap < 0) continue;
    const itemId = line.slice(0, gap);
    const status = line.slice(gap + 1) as Status | "created";
    if (status !== "created") statuses.set(itemId, status);
    else if (!statuses.has(itemId)) statuses.set(itemId, "draft");
  }
}
