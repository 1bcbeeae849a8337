/**
 * Rules of the contract that a test must hold: each mutant takes one rule out of what is shipped,
 * and a named test file has to notice. `deno task mutants` tries them; the suite only checks that
 * they still fit.
 *
 * @module
 */

/** One rule taken out or turned round. */
export interface Mutant {
  /** Number of the trap in its area; several where one rule holds them all. */
  readonly trap: number | readonly number[];
  /** The rule, in one clause. */
  readonly why: string;
  /** Shipped file, from the root of the checkout. */
  readonly file: string;
  /** Text that stands there exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Test files that must notice. */
  readonly tests: readonly string[];
  /** Part of a test's name, where the rest of the file has nothing to say and takes long. */
  readonly filter?: string;
}

/** A trap that no rule of our own code could break, or that only inspection can show. */
export interface WithoutMutant {
  readonly trap: number | readonly number[];
  readonly why: string;
}

/** The traps at the end of one document of the contract. */
export interface Area {
  readonly name: string;
  /** They are numbered from 1 to this. */
  readonly traps: number;
  readonly mutants: readonly Mutant[];
  readonly withoutMutant: readonly WithoutMutant[];
}

/** Trap numbers of a mutant or an exception. */
export function trapsOf({ trap }: { readonly trap: Mutant["trap"] }): readonly number[] {
  return typeof trap === "number" ? [trap] : trap;
}

/** How often a piece of text stands in another, overlaps counted. */
export function occurrences(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) count++;
  return count;
}

/** The file's text with the rule taken out. Throws where it stands there more than once, or not. */
export function mutate(text: string, { file, find, replace }: Mutant): string {
  const count = occurrences(text, find);
  if (count !== 1) {
    throw new RangeError(`Cannot change ${file}: the text stands there ${count} times`);
  }
  if (find === replace) throw new RangeError(`Cannot change ${file}: nothing would change`);
  // A function, since `$` has a meaning in a replacement.
  return text.replace(find, () => replace);
}
