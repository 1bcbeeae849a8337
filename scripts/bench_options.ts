/**
 * The bench's command line.
 *
 * @module
 */

import type { Program } from "./program.ts";

/** Parts of a run; each can be left out. */
export const SECTIONS = ["commands", "starts", "answers"] as const;
export type Section = typeof SECTIONS[number];

/** What a run was asked for. */
export interface BenchOptions {
  readonly items: readonly number[];
  readonly sections: readonly Section[];
  /** Repetitions of a heavy command; `null` chooses by size. */
  readonly rounds: number | null;
  readonly seed: number;
  readonly peer: Program | null;
  /** Archive of a project to search besides. */
  readonly project: string | null;
  /** File for the results. */
  readonly json: string | null;
  /** Leaves the projects on disk. */
  readonly keep: boolean;
}

/** Shown for `--help` and for what cannot be read. */
export const USAGE = `deno task bench [options]

  --items=200,2000     sizes of the corpus, in items (default 200,2000,10000; may be empty)
  --sections=LIST      of ${SECTIONS.join(", ")} (default all)
  --rounds=N           repetitions of each heavy command (default by size)
  --seed=N             another corpus
  --peer=COMMAND       another implementation of the contract, measured in turns
  --project=ARCHIVE    a project as .tar.gz, to be searched besides
  --json=FILE          where the results are written
  --keep               leave the projects on disk, and say where

A run of about a minute: deno task bench --items=200 --rounds=3
The executable is the one that THEURIAN_BINARY names, else dist/theurian.
`;

/** Reads the command line; `null` when it cannot be read. */
export function readOptions(args: readonly string[]): BenchOptions | null {
  const values = new Map<string, string>();
  for (const arg of args) {
    const [, name, value = ""] = /^--(items|sections|rounds|seed|peer|project|json|keep)(?:=(.*))?$/
      .exec(arg) ?? [];
    if (name === undefined) return null;
    values.set(name, value);
  }
  const items = numbers(values.get("items") ?? "200,2000,10000");
  const sections = (values.get("sections") ?? SECTIONS.join(",")).split(",");
  const known = sections.every((name) => (SECTIONS as readonly string[]).includes(name));
  if (!known || !items.every((n) => Number.isSafeInteger(n) && n > 0)) return null;
  return {
    items,
    sections: sections as Section[],
    rounds: values.has("rounds") ? Math.max(1, Number(values.get("rounds")) || 1) : null,
    seed: Number(values.get("seed") ?? 1) || 1,
    peer: programOf(values.get("peer")),
    project: values.get("project") ?? null,
    json: values.get("json") ?? null,
    keep: values.has("keep"),
  };
}

function numbers(list: string): number[] {
  return list === "" ? [] : list.split(",").map(Number);
}

/** Another implementation by its command line, its words parted by single spaces. */
export function programOf(command: string | undefined): Program | null {
  if (command === undefined || command === "") return null;
  const [program, ...prefix] = command.split(" ");
  return { description: `peer ${command}`, command: program!, prefix, environment: {} };
}
