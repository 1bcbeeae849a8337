/**
 * The README's table of the sandbox says what the command table says, for every command it names.
 *
 * @module
 */

import assert from "node:assert/strict";
import type { CommandRow, PermissionRow } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";

const README = Deno.readTextFileSync(new URL("../../README.md", import.meta.url));

/** Cells of every line of the table under "The sandbox". */
function lines(): string[][] {
  const section = README.split("## The sandbox")[1]!.split("\n## ")[0]!;
  return section.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

/** What a row keeps when it is called with some options as flags. */
function keptBy(row: CommandRow, flags: readonly string[]): PermissionRow {
  const options = Object.fromEntries(flags.map((flag) => [flag, true]));
  return row.narrowed?.({ arguments: {}, options, json: false }) ?? row.permissions;
}

/** What all the commands that a cell names keep, taken together. */
function together(cell: string, rows: readonly CommandRow[]): PermissionRow {
  const kept = [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, words]) => {
    const flags = [...words!.matchAll(/--(\S+)/g)].map(([, flag]) => flag!);
    const path = words!.replaceAll(/ --\S+/g, "").split(" ");
    const named = rows.filter((row) => path.every((word, i) => row.path[i] === word));
    assert.notEqual(named.length, 0, words);
    return named.map((row) => keptBy(row, flags));
  });
  return {
    net: kept.some(({ net }) => net),
    read: kept.some(({ read }) => read),
    write: kept.some(({ write }) => write),
    run: [...new Set(kept.flatMap(({ run }) => run))].sort(),
    env: [],
    sys: [],
  };
}

/** Programs that a cell names. */
function programs(cell: string): string[] {
  const named = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
  const manager = cell.includes("service manager") ? ["systemctl", "launchctl"] : [];
  return [...named, ...manager].sort();
}

Deno.test("the README's sandbox is the command table's", async () => {
  const rows = await loadCommands();
  const table = lines();
  assert.ok(table.length >= 7);
  for (const [commands, network, starts, writes] of table) {
    const kept = together(commands!, rows);
    assert.match(network!, kept.net ? /^127\.0\.0\.1$/ : /^none\b/, commands);
    assert.deepEqual(programs(starts!), kept.run, commands);
    assert.equal(starts === "nothing", kept.run.length === 0, commands);
    assert.equal(writes === "nothing", !kept.write, commands);
  }
});
