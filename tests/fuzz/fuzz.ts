/**
 * What a target of the fuzzer is, and how it is run: for a time, from a seed that is told. A case
 * that once failed lies in `corpus/<target>/` and is tried first, for ever.
 *
 * @module
 */

import { join } from "node:path";
import fc from "fast-check";
import { isFault } from "../../src/platform/errors.ts";

/** A target at work; its inputs are plain JSON, so that a found case can be kept. */
export interface Fuzzing<Input> extends AsyncDisposable {
  readonly inputs: fc.Arbitrary<Input>;
  /** Throws when the input is met badly. */
  readonly check: (input: Input) => void | Promise<void>;
}

/** Something that reads what others wrote. */
export interface FuzzTarget {
  readonly name: string;
  // deno-lint-ignore no-explicit-any
  readonly open: () => Fuzzing<any> | Promise<Fuzzing<any>>;
}

/** How long, and from where. */
export interface FuzzBudget {
  readonly seconds: number;
  readonly seed: number;
}

/** How a run ended. */
export interface FuzzOutcome {
  readonly runs: number;
  /** `null` when every input was met well. */
  readonly failure: { readonly input: unknown; readonly report: string } | null;
}

/** A text that no refusal may repeat; inputs carry it in their values. */
export const CANARY = "zq9canary";

const CORPUS = join(import.meta.dirname!, "corpus");

/** Runs a target's kept cases, then new ones until the time is over. */
export async function fuzz(target: FuzzTarget, budget: FuzzBudget): Promise<FuzzOutcome> {
  await using fuzzing = await target.open();
  for (const [name, input] of keptCases(target.name)) {
    try {
      await fuzzing.check(input);
    } catch (error) {
      return { runs: 0, failure: { input, report: `kept case ${name}: ${error}` } };
    }
  }
  const deadline = performance.now() + budget.seconds * 1000;
  let runs = 0;
  for (let seed = budget.seed; performance.now() < deadline; seed++) {
    const details = await fc.check(
      fc.asyncProperty(fuzzing.inputs, async (input) => await fuzzing.check(input)),
      {
        seed,
        numRuns: 500,
        interruptAfterTimeLimit: Math.max(1, deadline - performance.now()),
        markInterruptAsFailure: false,
        endOnFailure: false,
      },
    );
    runs += details.numRuns;
    if (!details.failed || details.counterexample === null) continue;
    const report = `seed ${seed}: ${details.errorInstance}`;
    return { runs, failure: { input: details.counterexample[0], report } };
  }
  return { runs, failure: null };
}

/** Keeps a case that failed; answers its path. */
export function keepCase(target: string, input: unknown): string {
  const directory = join(CORPUS, target);
  Deno.mkdirSync(directory, { recursive: true });
  const path = join(directory, `${Date.now().toString(36)}.json`);
  Deno.writeTextFileSync(path, `${JSON.stringify(input, null, 2)}\n`);
  return path;
}

function keptCases(target: string): [string, unknown][] {
  try {
    return [...Deno.readDirSync(join(CORPUS, target))].map(({ name }) => name).sort()
      .map((name) => [name, JSON.parse(Deno.readTextFileSync(join(CORPUS, target, name)))]);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/**
 * Runs `work`; a refusal of ours is fine, when it repeats nothing. Answers its result, or `null` for
 * a refusal. Everything else that is thrown is a defect.
 */
export async function refusedCleanly<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!isFault(error) || error.fault === "internal") throw error;
    requireSilence(textsIn([error.message, error.remedy, error.details]).map(withoutFindings));
    return null;
  }
}

/** Of a fault in a person's own file the part that may show what was found there, shortened. */
export function withoutFindings(text: string): string {
  return text.replace(/(?:found|the text) ".*"/s, "");
}

/** All texts of a value, its keys included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Throws when a text holds the canary. */
export function requireSilence(texts: string | readonly string[]): void {
  for (const text of [texts].flat()) {
    if (text.includes(CANARY)) throw new Error(`A value is repeated: ${text.slice(0, 600)}`);
  }
}
