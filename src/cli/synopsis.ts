import type { CommandRow } from "./command.ts";

/** What follows the words of a command in its usage line, such as `[OPTIONS] [PATH]`. */
export function leafSynopsis(row: CommandRow): string {
  const options = (row.options ?? [])
    .filter((option) => option.required === true)
    .map((option) => `--${option.name} ${option.value?.placeholder ?? ""}`.trimEnd());
  const positionals = (row.arguments ?? []).map((argument) => {
    const name = argument.variadic === true ? `${argument.name}...` : argument.name;
    return argument.required === true ? name : `[${name}]`;
  });
  return [...(options.length > 3 ? ["REQUIRED-OPTIONS"] : options), "[OPTIONS]", ...positionals]
    .join(" ");
}
