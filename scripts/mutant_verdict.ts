/**
 * Reading what `deno test` said about a rule that was taken out.
 *
 * @module
 */

import { type Mutant, trapsOf } from "../tests/mutants/mutant.ts";

/** Whether the tests noticed, and which one did first. */
export interface Verdict {
  readonly kind: "noticed" | "survived" | "broken" | "no baseline";
  readonly by: string;
}

/**
 * The verdict of a run with a rule taken out. `exit` is `null` when the run had to be ended. A module
 * that does not even load says nothing about a rule: that is a broken mutant.
 */
export function verdictOf(exit: number | null, output: string): Verdict {
  if (exit === null) return { kind: "noticed", by: "(it waits for ever)" };
  if (exit === 0) return { kind: "survived", by: "" };
  const failures = output.slice(output.indexOf("\n FAILURES"));
  const [name] = [...failures.matchAll(/^(.+?) => \.{0,2}\/\S+_test\.ts:\d+:\d+$/gm)]
    .map((match) => match[1]!);
  if (name === undefined || /The module's source code could not be parsed/.test(output)) {
    return {
      kind: "broken",
      by: output.trim().split("\n").find((line) => /rror/.test(line)) ?? "",
    };
  }
  return { kind: "noticed", by: name };
}

/** A line a mutant. */
export function table(
  rows: readonly { readonly area: string; readonly mutant: Mutant; readonly verdict: Verdict }[],
): string {
  return rows.map(({ area, mutant, verdict }) => {
    const trap = `${area} ${trapsOf(mutant).join(", ")}`.padEnd(22);
    const said = verdict.kind === "noticed"
      ? `noticed by: ${verdict.by}`
      : [verdict.kind.toUpperCase(), verdict.by].join(" ").trim();
    return `${trap} ${mutant.why.padEnd(60)} ${said}\n`;
  }).join("");
}
