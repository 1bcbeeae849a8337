/**
 * What a proposal may not do to the labels of items, seen over the whole set (proposals.md 6.5
 * and 6.6).
 *
 * @module
 */

import {
  inApplicationOrder,
  type Migration,
  type MigrationSet,
  type PermissiveMove,
  type Replay,
  SENSITIVITIES,
  type Status,
} from "../knowledge/mod.ts";
import { compareCodePoints } from "../platform/text.ts";
import { DRAFTABLE_OPERATIONS } from "./draft_document.ts";
import { unusable } from "./find_proposal.ts";

const RETIRED: readonly Status[] = ["deprecated", "superseded", "rejected"];

/** Refuses an item whose sensitivity falls, or that comes back from retirement (6.5). */
export function refuseLowering(before: Replay, after: Replay): void {
  const ids = [...before.state.items.keys()].sort(compareCodePoints);
  for (const itemId of ids) {
    const was = before.state.items.get(itemId)!.item;
    const is = after.state.items.get(itemId)!.item;
    if (SENSITIVITIES.indexOf(is.sensitivity) < SENSITIVITIES.indexOf(was.sensitivity)) {
      throw loosening(itemId, was.sensitivity, is.sensitivity);
    }
    if (RETIRED.includes(was.status) && !RETIRED.includes(is.status)) {
      throw loosening(itemId, was.status, is.status);
    }
  }
}

function loosening(itemId: string, from: string, to: string) {
  return unusable(
    `it would move ${itemId} from ${from} to ${to}`,
    "Write a migration with `changeSensitivity` or `restoreItem` by hand, have it reviewed, and leave the rest to this proposal.",
  );
}

/**
 * Refuses a proposal after which some migration loosens what it did not loosen before, and one whose
 * own tightening a landed migration takes back by replaying later (6.6).
 */
export function refuseNewMoves(
  before: Replay,
  after: Replay,
  proposal: Migration,
  union: MigrationSet,
): void {
  const known = new Set(before.permissiveMoves.map(moveKey));
  const news = after.permissiveMoves.filter((move) => !known.has(moveKey(move)));
  const [first] = news;
  if (first === undefined) return;
  const items = new Set(news.map((move) => move.itemId));
  throw unusable(
    `replayed in order, ${first.migrationId} would move ${first.itemId} from ${first.before} to ${first.after}` +
      (first.undoes === null ? "" : `, which undoes ${first.undoes}`),
    orderRemedy(proposal, laterWriters(proposal, union, items)),
  );
}

function moveKey({ migrationId, itemId, field, undoes }: PermissiveMove): string {
  return `${migrationId} ${itemId} ${field} ${undoes}`;
}

/** Landed migrations that write the labels of the items and replay after the proposal. */
export function laterWriters(
  proposal: Migration,
  union: MigrationSet,
  items: ReadonlySet<string>,
): readonly string[] {
  const order = inApplicationOrder(union).map((loaded) => loaded.migration);
  const position = order.findIndex((migration) => migration.id === proposal.id);
  return order.slice(position + 1).filter((migration) =>
    migration.operations.some((operation) =>
      LABEL_WRITERS.has(operation.op) && "itemId" in operation && items.has(operation.itemId)
    )
  ).map((migration) => migration.id);
}

const LABEL_WRITERS: ReadonlySet<string> = new Set([
  "createItem",
  "upsertRevision",
  "deprecateItem",
  "restoreItem",
  "changeSensitivity",
]);

/** Where the order is what is wrong, naming the later writers in `dependsOn` mends it. */
export function orderRemedy(proposal: Migration, later: readonly string[]): string {
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
