/**
 * What a migration reads or writes, by key. Migrations with disjoint footprints can change places
 * without changing the state, so a finished state can be carried over although a new migration
 * belongs before some that it holds already.
 *
 * @module
 */

import type { Migration, Operation } from "./migration.ts";

/** Keys of everything that a migration's operations look at or change. */
export function footprint(migration: Migration): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const operation of migration.operations) {
    for (const key of keysOf(operation)) keys.add(key);
  }
  return keys;
}

function keysOf(operation: Operation): readonly string[] {
  switch (operation.op) {
    case "createItem":
    case "restoreItem":
    case "changeSensitivity":
    case "changeOwner":
      return [item(operation.itemId)];
    case "upsertRevision":
      return [item(operation.itemId), `revision ${operation.revisionId}`];
    case "deprecateItem": {
      const { itemId, supersededBy } = operation;
      if (supersededBy === null) return [item(itemId)];
      return [item(itemId), edge(supersededBy, "supersedes", itemId)];
    }
    case "addRelation":
    case "removeRelation": {
      const { sourceItemId, relationType, targetItemId } = operation;
      return [edge(sourceItemId, relationType, targetItemId)];
    }
    case "addAlias":
    case "removeAlias":
      return [`alias ${operation.alias}`];
    case "registerSpecification":
      return [item(operation.itemId), specification(operation.specId)];
    case "supersedeSpecification":
      return [specification(operation.specId)];
    case "addEvidence":
      return [evidence(operation.itemId, operation.anchor.sourceUri)];
    case "removeEvidence":
      return [evidence(operation.itemId, operation.sourceUri)];
  }
}

const item = (itemId: string) => `item ${itemId}`;
const edge = (source: string, type: string, target: string) => `edge ${source} ${type} ${target}`;
const specification = (specId: string) => `specification ${specId}`;
const evidence = (itemId: string, source: string) => `evidence ${itemId} ${source}`;
