import type { CommandInput, CommandResult } from "./command.ts";
import { GROUPS } from "./commands.ts";
import { bashScript } from "./completions/bash.ts";
import { fishScript } from "./completions/fish.ts";
import { powershellScript } from "./completions/powershell.ts";
import { completionTree } from "./completions/tree.ts";
import { zshScript } from "./completions/zsh.ts";

const SCRIPTS = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** A static script; text mode prints it alone (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput): Promise<CommandResult> {
  const shell = input.arguments["SHELL"] as keyof typeof SCRIPTS;
  const script = SCRIPTS[shell](await completionTree(GROUPS));
  return { document: { shell, script }, text: script };
}
