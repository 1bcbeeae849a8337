import type { Relation, RelationType } from "./model.ts";

/** Relation types that should not lead back to where they start (INV-6). */
const ACYCLIC: readonly RelationType[] = ["supersedes", "superseded_by", "depends_on"];

/**
 * One cycle a relation type, as item ids that begin and end with the same one; none where there is
 * no cycle. Reported only, never refused (corpus-and-migrations.md 11, INV-6).
 */
export function relationCycles(relations: readonly Relation[]): readonly (readonly string[])[] {
  return ACYCLIC.flatMap((type) => {
    const targets = new Map<string, string[]>();
    for (const { relationType, sourceItemId, targetItemId } of relations) {
      if (relationType !== type) continue;
      const list = targets.get(sourceItemId);
      if (list === undefined) targets.set(sourceItemId, [targetItemId]);
      else list.push(targetItemId);
    }
    const cycle = findCycle(targets);
    return cycle === null ? [] : [cycle];
  });
}

/** Depth-first without recursion: a chain may be as long as the corpus. */
function findCycle(targets: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  for (const start of [...targets.keys()].sort()) {
    const path: string[] = [];
    const onPath = new Set<string>();
    const stack = [{ id: start, next: 0 }];
    while (stack.length > 0) {
      const frame = stack.at(-1)!;
      if (frame.next === 0) {
        path.push(frame.id);
        onPath.add(frame.id);
      }
      const target = done.has(frame.id) ? undefined : targets.get(frame.id)?.[frame.next++];
      if (target === undefined) {
        done.add(frame.id);
        onPath.delete(frame.id);
        path.pop();
        stack.pop();
      } else if (onPath.has(target)) {
        return [...path.slice(path.indexOf(target)), target];
      } else if (!done.has(target)) {
        stack.push({ id: target, next: 0 });
      }
    }
  }
  return null;
}
