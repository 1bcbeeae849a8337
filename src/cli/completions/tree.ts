/**
 * What can follow each point of a command line, read from the table. The shells' scripts are printed
 * from it and hold nothing of their own.
 *
 * @module
 */

import type { CommandGroup, CommandRow } from "../command.ts";
import { verbsBelow } from "../resolve_command.ts";

/** A word that may stand next, and what it is for. */
export interface CompletionWord {
  readonly word: string;
  readonly summary: string;
}

/** What may follow an option that takes a value. */
export interface CompletionValue {
  /** With its dashes. */
  readonly option: string;
  /** Empty when it is free text. */
  readonly choices: readonly string[];
  readonly isFile: boolean;
}

/** One point of a command line: the words up to it and what may follow. */
export interface CompletionNode {
  /** Words after `theurian`, joined by a blank; empty at the top. */
  readonly path: string;
  readonly commands: readonly CompletionWord[];
  readonly options: readonly CompletionWord[];
  readonly values: readonly CompletionValue[];
  /** Choices of the first positional. */
  readonly choices: readonly string[];
}

const HELP: CompletionWord = { word: "--help", summary: "Show this help" };
const JSON_OPTION: CompletionWord = { word: "--json", summary: "Print one JSON document" };
const FILES = /^(?:FILE|PATH|DIRECTORY|BUNDLE)$/;

/** Every point at which words can follow, the top first. */
export async function completionTree(groups: readonly CommandGroup[]): Promise<CompletionNode[]> {
  const nodes: CompletionNode[] = [{
    path: "",
    commands: groups.map(({ name, summary }) => ({ word: name, summary })),
    options: [HELP, { word: "--version", summary: "Show the version" }],
    values: [],
    choices: [],
  }];
  for (const group of groups) {
    const rows = await group.rows();
    const paths = new Set(rows.flatMap((row) => row.path.map((_, i) => prefix(row, i + 1))));
    for (const path of paths) nodes.push(nodeOf(rows, path));
  }
  return nodes;
}

function prefix(row: CommandRow, length: number): string {
  return row.path.slice(0, length).join(" ");
}

function nodeOf(rows: readonly CommandRow[], path: string): CompletionNode {
  const leaf = rows.find((row) => row.path.join(" ") === path);
  const options = leaf?.options ?? [];
  return {
    path,
    commands: verbsBelow(rows, path.split(" ")).map((word) => ({
      word,
      summary: rows.find((row) => row.path.join(" ") === `${path} ${word}`)?.summary ?? "",
    })),
    options: [
      ...options.map(({ name, summary }) => ({ word: `--${name}`, summary })),
      ...(leaf === undefined || leaf.json === false ? [] : [JSON_OPTION]),
      HELP,
    ],
    values: options.flatMap(({ name, value }) =>
      value === undefined ? [] : [{
        option: `--${name}`,
        choices: value.choices ?? [],
        isFile: FILES.test(value.placeholder),
      }]
    ),
    choices: leaf?.arguments?.[0]?.choices ?? [],
  };
}

/** The words that may stand next, options included. */
export function nextWords(node: CompletionNode): readonly CompletionWord[] {
  return [
    ...node.commands,
    ...node.choices.map((word) => ({ word, summary: "" })),
    ...node.options,
  ];
}
