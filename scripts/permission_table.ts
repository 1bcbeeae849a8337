/**
 * The table of what each command may do, from the command table itself, for `docs/security.md`.
 *
 * @module
 */

import type { CommandRow, PermissionRow } from "../src/cli/command.ts";
import { loadCommands } from "../src/cli/commands.ts";
import { formatted } from "./format_markdown.ts";

/** Where the table stands in the page. */
const START = "<!-- permissions: written by `deno task docs` -->";
const END = "<!-- /permissions -->";

/** Commands with the same permissions share a line; in the order of the command table. */
export function permissionTable(rows: readonly CommandRow[]): string {
  const lines = new Map<string, { permissions: PermissionRow; commands: string[] }>();
  for (const row of rows) {
    const cells = cellsOf(row.permissions).join("|");
    const line = lines.get(cells) ?? { permissions: row.permissions, commands: [] };
    lines.set(cells, line);
    line.commands.push(`\`${row.path.join(" ")}\``);
  }
  const head = ["Commands", "Network", "Reads", "Writes", "Starts", "Environment"];
  const body = [...lines.values()].map(({ permissions, commands }) => [
    commands.join(", "),
    ...cellsOf(permissions),
  ]);
  return [head, head.map(() => "---"), ...body].map((cells) => `| ${cells.join(" | ")} |\n`).join(
    "",
  );
}

function cellsOf({ net, read, write, run, env }: PermissionRow): string[] {
  const names = (list: readonly string[], none: string) =>
    list.length === 0 ? none : list.map((name) => `\`${name}\``).join(", ");
  return [
    net ? "127.0.0.1" : "none",
    read ? "files" : "nothing",
    write ? "files" : "nothing",
    names(run, "nothing"),
    names(env, "nothing more"),
  ];
}

/** A page with the table put between its markers. Throws `TypeError` for a page without them. */
export function withPermissionTable(page: string, table: string): string {
  const [before, rest] = page.split(START);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new TypeError("The page has no place for the table");
  return `${before}${START}\n\n${table}\n${END}${after}`;
}

/** `docs/security.md` as it should be, formatted. */
export async function securityPage(): Promise<string> {
  const page = new URL("../docs/security.md", import.meta.url);
  const text = withPermissionTable(
    Deno.readTextFileSync(page),
    permissionTable(await loadCommands()),
  );
  return await formatted(text);
}
