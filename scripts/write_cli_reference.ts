/**
 * Writes `docs/cli.md`, and the table of permissions in `docs/security.md`, from the command table, so
 * that both are what the program does.
 *
 * Usage: deno task docs
 *
 * @module
 */

import type { CommandGroup, CommandRow, OptionRow, PermissionRow } from "../src/cli/command.ts";
import { GROUPS } from "../src/cli/commands.ts";
import { leafSynopsis } from "../src/cli/synopsis.ts";
import { GITIGNORE_BLOCK } from "../src/projects/mod.ts";
import { formatted } from "./format_markdown.ts";
import { securityPage } from "./permission_table.ts";

const HEAD = `# Command line

This page is written by \`deno task docs\` from the same table that the program reads.

## What holds for every command

- stdout carries the result and nothing else: \`key: value\` lines for a person, or with \`--json\` exactly one JSON
  document with sorted keys. \`--json\` goes behind the command: \`theurian migrate status --json\`.
- A failure leaves stdout empty. stderr then holds \`error: …\` and, on the next line, what to do; with \`--json\` one
  document with the keys \`error\` and \`remedy\`. Warnings and progress go to stderr too.
- Commands whose report is worth reading although something is wrong print it whole and exit with a code of their own:
  \`compat check\`, \`doctor\`, \`index build\`, \`ingest\`, \`migrate status\`, \`review build\`, \`review ingest\`, \`setup\`,
  \`uninstall\`.
- Nothing asks and nothing reads stdin. Options may stand before or behind positionals, \`--opt=value\` is \`--opt value\`,
  the argument behind an option that takes a value is its value whatever it looks like, and \`--\` ends options.
- Text from the repository cannot drive the terminal: control characters are printed as \`\\xHH\`.

| Exit | Meaning |
| --- | --- |
| 0 | Done, also when there was nothing to do |
| 1 | The command could not do it here; nothing was published |
| 2 | The command line or the input it names cannot be used |
| 3 | Versions or protocol do not match (\`compat check\`) |
| 4 | The project's knowledge needs a person: a path that escapes, a broken or changed migration, a conflict |
| 5 | Setup stopped to ask for consent (\`setup\`) |
| 6 | The index was published, and a secret was found in it (\`index build\`) |
| 7 | Nothing of a bundle was admitted (\`okf import --strict\`) |
| 130 | Interrupted |

| Variable | Meaning |
| --- | --- |
| \`THEURIAN_DATA_DIR\` | Data directory; \`~/.theurian\` unless set |
| \`THEURIAN_DEBUG\` | Set to show where an internal fault happened |
| \`THEURIAN_MCP_TOKEN\` | Read by MCP clients, never by this program |

Each command gives up every permission that its entry below does not name before any of its code runs.
`;

const TAIL = `## The block in .gitignore

\`theurian init\` keeps these lines in \`.gitignore\` and touches no other line of it:

\`\`\`gitignore
${GITIGNORE_BLOCK}
\`\`\`
`;

/** The page, formatted. */
export async function cliReference(groups: readonly CommandGroup[] = GROUPS): Promise<string> {
  const sections: string[] = [];
  for (const group of groups) {
    const rows = await group.rows();
    sections.push(
      `## ${group.name}\n\n${group.summary}.\n\n${rows.map(commandSection).join("\n")}`,
    );
  }
  return await formatted([HEAD, ...sections, TAIL].join("\n"));
}

function commandSection(row: CommandRow): string {
  const words = row.path.join(" ");
  const usage = `theurian ${words} ${leafSynopsis(row)}`;
  return [
    `### theurian ${words}\n\n${row.summary}\n\n\`\`\`\n${usage}\n\`\`\`\n`,
    table(
      ["Argument", "Meaning"],
      (row.arguments ?? []).map(({ name, summary, choices }) => [
        code(name),
        choices === undefined ? summary : `${summary}: ${choices.map(code).join(", ")}`,
      ]),
    ),
    table(["Option", "Meaning"], (row.options ?? []).map(optionCells)),
    `May use: ${permissionText(row.permissions)}.\n`,
  ].filter((part) => part !== "").join("\n");
}

function optionCells(option: OptionRow): string[] {
  const value = option.value;
  const notes = [
    option.required === true ? "required" : "",
    option.repeatable === true ? "may be given more than once" : "",
    value?.choices === undefined ? "" : `one of ${value.choices.map(code).join(", ")}`,
    value?.minimum === undefined ? "" : `from ${value.minimum} to ${value.maximum ?? "any"}`,
    value?.default === undefined ? "" : `${code(String(value.default))} unless given`,
  ].filter((note) => note !== "");
  const name = `--${option.name}${value === undefined ? "" : ` ${value.placeholder}`}`;
  return [code(name), [option.summary, ...notes].join("; ")];
}

function permissionText(row: PermissionRow): string {
  const parts = [
    row.read ? "files to read" : "",
    row.write ? "files to write" : "",
    row.net ? "connections on 127.0.0.1" : "",
    ...row.run.map(code),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "nothing" : parts.join(", ");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |\n`;
  return line(head) + line(head.map(() => "---")) + rows.map(line).join("");
}

function code(text: string): string {
  return `\`${text}\``;
}

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../docs/cli.md", import.meta.url), await cliReference());
  await Deno.writeTextFile(new URL("../docs/security.md", import.meta.url), await securityPage());
}
