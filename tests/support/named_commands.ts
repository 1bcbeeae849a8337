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
      ? part.replace(/\\\n/g, " ").matchAll(/^ *(?:\$ )?(?:\S+=\S+ )?theurian +(.*)$/gm)
      : part.matchAll(/`theurian ([a-z][^`]*)`|\$\(theurian ([a-z][^)"]*)/g);
    for (const match of lines) {
      const words = shellWords(match[1] ?? match[2] ?? "");
      if (words.length > 0) found.push(words);
    }
  });
  return found;
}

/** The words of one command: quotes are taken off, comments and what is piped on are left out. */
function shellWords(line: string): string[] {
  const bare = line.replace(/\s+[#|>].*$|\s*(?:&&|;).*$/, "");
  return [...bare.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((word) => !["…", "...", "\\"].includes(word))
    .map((word) => word.replace(/^<(.+)>$/, "$1"));
}

/**
 * What is wrong with a shown command line, or `null`: no such command, option or choice, a value out
 * of its bounds, too many arguments. A command may be shown by its name alone, without what it
 * requires, and with shell variables for values.
 */
export async function commandFault(words: readonly string[]): Promise<string | null> {
  const request = await resolveCommand(GROUPS, await withoutVariables(words));
  if (request.kind !== "usage") return null;
  const { message } = request.fault;
  return /^Missing /.test(message) ? null : `${message}: ${words.join(" ")}`;
}

/**
 * What a variable or a placeholder stands for is not known: an option that has one for its value is
 * left out, and so is one that ends a torn line of a script.
 */
async function withoutVariables(words: readonly string[]): Promise<string[]> {
  const rows = (await GROUPS.find(({ name }) => name === words[0])?.rows()) ?? [];
  const placeholders = new Map(
    rows.flatMap((row) => row.options ?? []).flatMap(({ name, value }) =>
      value === undefined ? [] : [[`--${name}`, value.placeholder]]
    ),
  );
  const open = (word: string | undefined, placeholder: string) =>
    word === undefined || word === placeholder || word.includes("$");
  const kept: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const placeholder = placeholders.get(words[i]!);
    if (placeholder !== undefined && open(words[i + 1], placeholder)) i++;
    else kept.push(words[i]!);
  }
  return kept;
}
