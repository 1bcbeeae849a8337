/**
 * Words of engineering that people use for one another. A query that says one finds, with less
 * weight, what says another.
 *
 * @module
 */

import { stemWord } from "../lexicon/mod.ts";
import { SYNONYM_GROUPS } from "./synonym_groups.ts";

const BY_STEM: ReadonlyMap<string, readonly string[]> = (() => {
  const map = new Map<string, Set<string>>();
  for (const group of SYNONYM_GROUPS.split(";")) {
    const stems = [...new Set(group.split(/\s+/).filter((word) => word !== "").map(stemWord))];
    for (const stem of stems) {
      const others = map.get(stem) ?? new Set();
      for (const other of stems) if (other !== stem) others.add(other);
      map.set(stem, others);
    }
  }
  return new Map([...map].map(([stem, others]) => [stem, [...others].sort()]));
})();

/** Stems that mean about the same as this one, in ascending order. */
export function synonymsOf(stem: string): readonly string[] {
  return BY_STEM.get(stem) ?? [];
}
