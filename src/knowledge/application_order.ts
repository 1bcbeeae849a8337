/**
 * The order in which migrations apply: layer by layer, each sorted by id
 * (corpus-and-migrations.md 12.1).
 *
 * @module
 */

/** What ordering needs to know of a migration. */
export interface Ordered {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** The order, or one concrete cycle that makes it impossible. */
export type ApplicationOrder =
  | { readonly ids: readonly string[]; readonly cycle: null }
  | { readonly ids: null; readonly cycle: readonly string[] };

/**
 * Orders migrations whose ids are unique and whose dependencies all exist. Repeatedly takes all
 * that wait for nothing as one layer, so a free migration comes before every dependent one, however
 * small the dependent's id. A cycle starts with the smallest id that is stuck in one.
 */
export function applicationOrder(migrations: readonly Ordered[]): ApplicationOrder {
  const waitingFor = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn } of migrations) {
    waitingFor.set(id, dependsOn.length);
    for (const needed of dependsOn) {
      const list = dependents.get(needed);
      if (list === undefined) dependents.set(needed, [id]);
      else list.push(id);
    }
  }
  const ids: string[] = [];
  let layer = migrations.filter((m) => m.dependsOn.length === 0).map((m) => m.id);
  while (layer.length > 0) {
    layer.sort();
    ids.push(...layer);
    const next: string[] = [];
    for (const id of layer) {
      for (const dependent of dependents.get(id) ?? []) {
        const left = waitingFor.get(dependent)! - 1;
        waitingFor.set(dependent, left);
        if (left === 0) next.push(dependent);
      }
    }
    layer = next;
  }
  if (ids.length === migrations.length) return { ids, cycle: null };
  return { ids: null, cycle: findCycle(migrations, new Set(ids)) };
}

/** A migration behind a cycle is stuck too, but in none: only members of a cycle may start it. */
function findCycle(migrations: readonly Ordered[], done: ReadonlySet<string>): readonly string[] {
  const stuck = new Map(
    migrations.filter((m) => !done.has(m.id)).map((m) => [m.id, m.dependsOn] as const),
  );
  dropUnneeded(stuck);
  for (const start of [...stuck.keys()].sort()) {
    const cycle = pathBack(start, stuck);
    if (cycle !== null) return cycle;
  }
  throw new RangeError("Cannot find a cycle among migrations that wait for each other");
}

/** Drops what no stuck migration waits for, again and again: it is behind a cycle, not in one. */
function dropUnneeded(stuck: Map<string, readonly string[]>): void {
  const needs = new Map<string, number>();
  for (const dependsOn of stuck.values()) {
    for (const needed of dependsOn) needs.set(needed, (needs.get(needed) ?? 0) + 1);
  }
  const unneeded = [...stuck.keys()].filter((id) => !needs.has(id));
  for (const id of unneeded) {
    for (const needed of stuck.get(id)!) {
      const left = needs.get(needed)! - 1;
      needs.set(needed, left);
      if (left === 0 && stuck.has(needed)) unneeded.push(needed);
    }
    stuck.delete(id);
  }
}

/** The shortest way from `start` along dependencies back to itself. */
function pathBack(
  start: string,
  stuck: ReadonlyMap<string, readonly string[]>,
): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const needed of [...stuck.get(id)!].sort()) {
      if (needed === start) return unwind(start, id, cameFrom);
      if (!stuck.has(needed) || cameFrom.has(needed)) continue;
      cameFrom.set(needed, id);
      queue.push(needed);
    }
  }
  return null;
}

function unwind(start: string, last: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const cycle: string[] = [];
  for (let id = last; id !== start; id = cameFrom.get(id)!) cycle.unshift(id);
  return [start, ...cycle, start];
}
