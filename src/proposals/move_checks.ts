/**
 * What a proposal may not do to the labels of items, seen over the whole set (proposals.md 6.5
 * and 6.6).
 *
 * @module
 */

import {
  inApplicationOrder,
  type LabelField,
  type Migration,
  type MigrationSet,
  type Operation,
  type Replay,
  replay,
  SENSITIVITIES,
  type Status,
} from "../knowledge/mod.ts";
import { compareCodePoints } from "../platform/text.ts";
import { DRAFTABLE_OPERATIONS } from "./draft_document.ts";
import { unusable } from "./find_proposal.ts";
import { screenedName } from "./_screened.ts";

const RETIRED: readonly Status[] = ["deprecated", "superseded", "rejected"];
const FIELDS = ["sensitivity", "status"] as const satisfies readonly LabelField[];

/** One label of one item. */
interface Label {
  readonly itemId: string;
  readonly field: LabelField;
}

/** Refuses an item whose sensitivity falls, or that comes back from retirement (6.5). */
export function refuseLowering(before: Replay, after: Replay): void {
  for (const itemId of [...before.state.items.keys()].sort(compareCodePoints)) {
    const was = before.state.items.get(itemId)!.item;
    const is = after.state.items.get(itemId)!.item;
    for (const field of FIELDS) {
      if (!loosens(was[field], is[field], field)) continue;
      throw unusable(
        `it would move ${screenedName(itemId)} from ${was[field]} to ${is[field]}`,
        "Write a migration with `changeSensitivity` or `restoreItem` by hand, have it reviewed, and leave the rest to this proposal.",
      );
    }
  }
}

/** True when `after` shows an item to more readers than `before`. */
function loosens(before: string, after: string, field: LabelField): boolean {
  if (field === "status") {
    return RETIRED.includes(before as Status) && !RETIRED.includes(after as Status);
  }
  const level = (value: string) => SENSITIVITIES.indexOf(value as typeof SENSITIVITIES[number]);
  return level(after) < level(before);
}

/** Refuses a proposal after which some migration loosens what it did not loosen before (6.6). */
export function refuseNewMoves(
  before: Replay,
  after: Replay,
  proposal: Migration,
  union: MigrationSet,
): void {
  const known = new Set(before.permissiveMoves.map(moveKey));
  const moves = after.permissiveMoves.filter((move) => !known.has(moveKey(move)));
  const [first] = moves;
  if (first === undefined) return;
  const { migrationId, itemId, undoes } = first;
  throw unusable(
    `replayed in order, ${migrationId} would move ${screenedName(itemId)} from ${first.before} ` +
      `to ${first.after}${undoes === null ? "" : `, which undoes ${undoes}`}`,
    orderRemedy(proposal, laterWriters(proposal, union, moves)),
  );
}

function moveKey(move: Label & { migrationId: string; undoes: string | null }): string {
  return `${move.migrationId} ${move.itemId} ${move.field} ${move.undoes}`;
}

/**
 * Refuses a proposal whose own writing of a label a landed migration takes back in silence, by
 * replaying later and leaving the label looser (6.6, second condition).
 */
export function refuseUndoneLabels(after: Replay, proposal: Migration, union: MigrationSet): void {
  const order = inApplicationOrder(union);
  const at = order.findIndex((loaded) => loaded.migration.id === proposal.id);
  if (at === order.length - 1) return;
  const found = replay(order.slice(0, at), null);
  const left = replay(order.slice(0, at + 1), null);
  const written = writtenLabels(proposal, (itemId) => !found.state.items.has(itemId));
  const undone = written.filter(({ itemId, field }) =>
    loosens(
      left.state.items.get(itemId)!.item[field],
      after.state.items.get(itemId)!.item[field],
      field,
    )
  );
  const [first] = undone;
  if (first === undefined) return;
  const later = laterWriters(proposal, union, undone);
  throw unusable(
    `what replays after it (${later.join(", ")}) leaves the ${first.field} of ` +
      `${screenedName(first.itemId)} looser than it does`,
    orderRemedy(proposal, later),
  );
}

/** The labels that a migration writes; a creation writes only where nothing was. */
function writtenLabels(migration: Migration, isNew: (itemId: string) => boolean): readonly Label[] {
  const labels = new Map<string, Label>();
  for (const operation of migration.operations) {
    if (operation.op === "createItem" && !isNew(operation.itemId)) continue;
    for (const label of labelsOf(operation)) labels.set(`${label.field} ${label.itemId}`, label);
  }
  return [...labels.values()];
}

function labelsOf(operation: Operation): readonly Label[] {
  switch (operation.op) {
    case "createItem":
    case "upsertRevision":
      return FIELDS.map((field) => ({ itemId: operation.itemId, field }));
    case "deprecateItem":
    case "restoreItem":
      return [{ itemId: operation.itemId, field: "status" }];
    case "changeSensitivity":
      return [{ itemId: operation.itemId, field: "sensitivity" }];
    default:
      return [];
  }
}

/**
 * Landed migrations that write one of the labels and replay after the proposal, in replay order. A
 * creation is none: the item stood before.
 */
function laterWriters(
  proposal: Migration,
  union: MigrationSet,
  labels: readonly Label[],
): readonly string[] {
  const wanted = new Set(labels.map(({ itemId, field }) => `${field} ${itemId}`));
  const order = inApplicationOrder(union).map((loaded) => loaded.migration);
  const position = order.findIndex((migration) => migration.id === proposal.id);
  return order.slice(position + 1).filter((migration) =>
    writtenLabels(migration, () => false)
      .some(({ itemId, field }) => wanted.has(`${field} ${itemId}`))
  ).map((migration) => migration.id);
}

/** Where the order is what is wrong, naming the later writers in `dependsOn` mends it. */
function orderRemedy(proposal: Migration, later: readonly string[]): string {
  if (later.length === 0) {
    return "Have the change of the label written and reviewed as a migration of its own.";
  }
  const names = later.join(", ");
  const ops = new Set(proposal.operations.map((operation) => operation.op));
  if ([...ops].every((op) => op === "createItem" || op === "upsertRevision")) {
    return `Draft it again with \`theurian propose\`, add \`dependsOn: [${names}]\` to the drafted migration, then accept that.`;
  }
  if ([...ops].every((op) => DRAFTABLE_OPERATIONS.includes(op as never))) {
    return `Draft it again with \`knowledge.generateMigrationDraft\` and \`dependsOn: [${names}]\` in the document.`;
  }
  return `Add \`dependsOn: [${names}]\` to this proposal's migration, then accept it again.`;
}
