/**
 * Help texts, read from the rows (cli-and-plugins.md 1.4). Everything is printed literally.
 *
 * @module
 */

import type { CommandGroup, CommandRow, OptionRow } from "./command.ts";
import { verbsBelow } from "./resolve_command.ts";
import { leafSynopsis } from "./synopsis.ts";

/** Help never depends on the terminal, so that it can be compared and printed into documentation. */
const WIDTH = 100;

/** Help of `path`: the top, a group, or a command. */
export async function helpText(
  groups: readonly CommandGroup[],
  path: readonly string[],
): Promise<string> {
  const [name] = path;
  if (name === undefined) return topHelp(groups);
  const group = groups.find((candidate) => candidate.name === name);
  const rows = await group?.rows() ?? [];
  const words = path.join(" ");
  const leaf = rows.find((row) => row.path.join(" ") === words);
  const commands = verbsBelow(rows, path).map((verb): Entry => {
    const row = rows.find((candidate) => candidate.path.join(" ") === `${words} ${verb}`);
    return [verb, row?.summary ?? ""];
  });
  return leaf === undefined
    ? page(`${words} COMMAND [OPTIONS]`, group?.summary ?? "", [
      section("Options", [HELP_ENTRY]),
      section("Commands", commands),
    ])
    : leafHelp(leaf, commands);
}

type Entry = readonly [string, string];

const HELP_ENTRY: Entry = ["--help", "Show this help"];

function topHelp(groups: readonly CommandGroup[]): string {
  return page(
    "COMMAND [OPTIONS]",
    "Reviewed engineering knowledge from Git, served to AI agents on this machine.",
    [
      section("Options", [
        ["--version, -V", "Show the version; with --json as one document"],
        HELP_ENTRY,
      ]),
      section("Commands", groups.map((group): Entry => [group.name, group.summary])),
    ],
  );
}

function leafHelp(row: CommandRow, commands: readonly Entry[]): string {
  const options = (row.options ?? []).map(optionEntry);
  if (row.json !== false) options.push(["--json", "Print one JSON document"]);
  const synopsis = commands.length === 0
    ? `${row.path.join(" ")} ${leafSynopsis(row)}`
    : `${row.path.join(" ")} ${leafSynopsis(row)}\n       theurian ${row.path.join(" ")} COMMAND`;
  return page(synopsis, row.summary, [
    section(
      "Arguments",
      (row.arguments ?? []).map((argument): Entry => [
        argument.name,
        argument.summary +
        (argument.choices === undefined ? "" : ` [one of: ${argument.choices.join(", ")}]`) +
        (argument.required === true ? " [required]" : ""),
      ]),
    ),
    section("Options", [...options, HELP_ENTRY]),
    section("Commands", commands),
  ]);
}

function optionEntry(option: OptionRow): Entry {
  const kind = option.value;
  const name = `--${option.name}${kind === undefined ? "" : ` ${kind.placeholder}`}`;
  const notes = [
    option.required === true ? "[required]" : "",
    option.repeatable === true ? "[repeatable]" : "",
    kind?.choices === undefined ? "" : `[one of: ${kind.choices.join(", ")}]`,
    kind?.minimum === undefined ? "" : `[${kind.minimum}..${kind.maximum ?? ""}]`,
    kind?.default === undefined ? "" : `[default: ${kind.default}]`,
  ].filter((note) => note !== "");
  return [name, [option.summary, ...notes].join(" ")];
}

function page(synopsis: string, summary: string, sections: readonly string[]): string {
  return [
    `Usage: theurian ${synopsis}\n`,
    ...wrap(summary, 0).map((line) => `${line}\n`).join(""),
    ...sections.filter((text) => text !== "").map((text) => `\n${text}`),
  ].join("").replace(/\n/, "\n\n");
}

function section(title: string, entries: readonly Entry[]): string {
  if (entries.length === 0) return "";
  const column = Math.min(30, Math.max(...entries.map(([name]) => name.length)) + 4);
  const lines = entries.flatMap(([name, summary]) => {
    const [first = "", ...more] = wrap(summary, column);
    const head = name.length + 4 <= column
      ? [`  ${name.padEnd(column - 2)}${first}`]
      : [`  ${name}`, `${" ".repeat(column)}${first}`];
    return [...head, ...more.map((line) => " ".repeat(column) + line)];
  });
  return `${title}:\n${lines.map((line) => `${line.trimEnd()}\n`).join("")}`;
}

function wrap(text: string, indent: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH - indent) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
