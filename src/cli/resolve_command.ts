/**
 * Finds the command that the first words name, before anything of it is loaded.
 *
 * @module
 */

import type { CommandGroup, CommandInput, CommandRow } from "./command.ts";
import { leafSynopsis } from "./synopsis.ts";
import { parseOptions } from "./parse_options.ts";
import { nearestWord, shownWord, type UsageFault } from "./usage.ts";

/** What a command line asks for. */
export type Request =
  | { readonly kind: "run"; readonly row: CommandRow; readonly input: CommandInput }
  | { readonly kind: "version"; readonly json: boolean }
  /** Help that was asked for, or `bare`: shown since nothing was. */
  | { readonly kind: "help"; readonly path: readonly string[]; readonly bare: boolean }
  | { readonly kind: "usage"; readonly fault: UsageFault };

/** Reads a whole command line against the table (cli-and-plugins.md sections 1 and 1.4). */
export async function resolveCommand(
  groups: readonly CommandGroup[],
  args: readonly string[],
): Promise<Request> {
  let at = 0;
  let help = false;
  for (; at < args.length && args[at]!.startsWith("-"); at++) {
    const word = args[at]!;
    if (word === "--version" || word === "-V") {
      return { kind: "version", json: args.includes("--json") };
    }
    if (word === "--help") help = true;
    else if (word !== "--json") return topUsage(`There is no option ${shownWord(word)} here`);
  }
  if (help) return { kind: "help", path: [], bare: false };
  const name = args[at];
  if (name === undefined) return { kind: "help", path: [], bare: true };
  const group = groups.find((candidate) => candidate.name === name);
  if (group === undefined) {
    return topUsage(unknownCommand(name, groups.map((candidate) => candidate.name)));
  }
  if (at > 0) return topUsage("Option --json goes behind the command");
  return resolveRow(await group.rows(), args);
}

/** Walks from the group's own word to a leaf; `args` starts with that word. */
function resolveRow(rows: readonly CommandRow[], args: readonly string[]): Request {
  const path = [args[0]!];
  for (;;) {
    const rest = args.slice(path.length);
    const leaf = rows.find((row) => sameWords(row.path, path));
    const verbs = verbsBelow(rows, path);
    const next = rest[0];
    if (next !== undefined && verbs.includes(next)) path.push(next);
    else if (leaf === undefined) return resolveGroup(path, rest, verbs);
    else if (verbs.length === 0) return resolveLeaf(leaf, rest);
    else return resolveLeafWithVerbs(rows, leaf, rest, verbs);
  }
}

/** A word with commands below it that is no command itself. */
function resolveGroup(
  path: readonly string[],
  rest: readonly string[],
  verbs: readonly string[],
): Request {
  if (rest.includes("--help")) return { kind: "help", path, bare: false };
  const next = rest.find((word) => word !== "--json");
  if (next === undefined) return { kind: "help", path, bare: true };
  const message = next.startsWith("-")
    ? `There is no option ${shownWord(next)} here`
    : verbs.includes(next)
    ? "Option --json goes behind the command"
    : unknownCommand(next, verbs);
  return { kind: "usage", fault: { path, synopsis: "COMMAND [OPTIONS]", message } };
}

/**
 * A word that is a command and has commands below it (`propose`): its own options may not stand
 * before a verb, since nothing would read them; `--json` there is without effect.
 */
function resolveLeafWithVerbs(
  rows: readonly CommandRow[],
  leaf: CommandRow,
  rest: readonly string[],
  verbs: readonly string[],
): Request {
  if (rest.length === 0) return { kind: "help", path: leaf.path, bare: true };
  const split = splitAtVerb(leaf, rest, verbs);
  if (split === null) return resolveLeaf(leaf, rest);
  if (split.stray.length === 0) {
    return resolveRow(rows, [...leaf.path, split.verb, ...split.rest]);
  }
  const message = `${split.stray.join(", ")} cannot be given together with "${split.verb}"`;
  return { kind: "usage", fault: { path: leaf.path, synopsis: leafSynopsis(leaf), message } };
}

interface VerbSplit {
  readonly verb: string;
  readonly rest: readonly string[];
  /** Names of the options before the verb, sorted, without `--json`. */
  readonly stray: readonly string[];
}

/** Where the first positional is a verb; `null` when the line belongs to the leaf itself. */
function splitAtVerb(
  leaf: CommandRow,
  rest: readonly string[],
  verbs: readonly string[],
): VerbSplit | null {
  const stray = new Set<string>();
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i]!;
    if (word === "--" || word === "--help") return null;
    if (!word.startsWith("-")) {
      if (!verbs.includes(word)) return null;
      return { verb: word, rest: rest.slice(i + 1), stray: [...stray].sort() };
    }
    const [name = "", ...value] = word.split("=");
    if (name !== "--json") stray.add(shownWord(name).replaceAll('"', ""));
    const option = leaf.options?.find((row) => `--${row.name}` === name);
    if (option?.value !== undefined && value.length === 0) i++;
  }
  return null;
}

function resolveLeaf(row: CommandRow, rest: readonly string[]): Request {
  const parsed = parseOptions(row, rest);
  if (parsed.kind === "input") return { kind: "run", row, input: parsed.input };
  if (parsed.kind === "help") return { kind: "help", path: row.path, bare: false };
  return {
    kind: "usage",
    fault: { path: row.path, synopsis: leafSynopsis(row), message: parsed.message },
  };
}

function topUsage(message: string): Request {
  return { kind: "usage", fault: { path: [], synopsis: "COMMAND [OPTIONS]", message } };
}

function unknownCommand(word: string, known: readonly string[]): string {
  const nearest = nearestWord(word, known);
  return `There is no command ${shownWord(word)}` +
    (nearest === null ? "" : `, did you mean ${nearest}?`);
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, i) => word === b[i]);
}

/** The words that may follow `path`, in the order of the table. */
export function verbsBelow(rows: readonly CommandRow[], path: readonly string[]): string[] {
  const below = rows.filter((row) =>
    row.path.length > path.length && sameWords(row.path.slice(0, path.length), path)
  );
  return [...new Set(below.map((row) => row.path[path.length]!))];
}
