/**
 * Finds the command lines that a page shows and holds them against the command table.
 *
 * @module
 */

import { GROUPS } from "../../src/cli/commands.ts";
import { resolveCommand } from "../../src/cli/resolve_command.ts";

/** Command lines of a Markdown page or a shell script, without the program's name. */
export function namedCommands(text: string): string[][] {
  const found: string[][] = [];
  const fences = text.split(/^ *```.*$/m);
  fences.forEach((part, i) => {
    const lines = i % 2 === 1
      ? part.replace(/\\\n/g, " ").matchAll(
        /^ *(?:\$ )?(?:\S+=\S+ )?theurian +(.*?)(?:\s+[#|>].*)?$/gm,
      )
      : part.matchAll(/`theurian ([a-z][^`]*)`|\$\(theurian ([a-z][^)"]*)/g);
    for (const match of lines) {
      const words = (match[1] ?? match[2] ?? "").trim().split(/\s+/);
      if (words[0] !== "") found.push(words);
    }
  });
  return found;
}

/** What is wrong with a shown command line, or `null`: an unknown command, or an unknown option. */
export async function commandFault(words: readonly string[]): Promise<string | null> {
  const end = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word));
  const leading = words.slice(0, end === -1 ? words.length : end);
  const rows = (await GROUPS.find(({ name }) => name === words[0])?.rows()) ?? [];
  // The longest run of words that is a command; what follows are its arguments.
  let path = leading;
  while (path.length > 0 && !rows.some((row) => startsWith(row.path, path))) {
    path = path.slice(0, -1);
  }
  const request = await resolveCommand(GROUPS, [...path, "--help"]);
  if (path.length === 0 || request.kind !== "help") return `no command: ${words.join(" ")}`;
  const row = rows.find((candidate) => candidate.path.join(" ") === path.join(" "));
  if (row === undefined && leading.length > path.length) return `no command: ${words.join(" ")}`;
  const arguments_ = row?.arguments ?? [];
  const extra = leading.length - path.length;
  if (arguments_.length === 0 && extra > 0) return `no command: ${words.join(" ")}`;
  const known = ["--json", "--help", ...(row?.options ?? []).map(({ name }) => `--${name}`)];
  const unknown = words.filter((word) => /^--[a-z]/.test(word)).map((word) => word.split("=")[0]!)
    .find((word) => !known.includes(word));
  return unknown === undefined ? null : `no option ${unknown}: ${words.join(" ")}`;
}

function startsWith(row: readonly string[], path: readonly string[]): boolean {
  return path.every((word, i) => row[i] === word);
}
