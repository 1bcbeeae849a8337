/**
 * Pages that people read: every command they show is one of ours, every relative link leads
 * somewhere (cli-and-plugins.md section 5).
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { commandFault, namedCommands } from "../support/named_commands.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const LEFT_OUT = /^(?:node_modules|dist|coverage|\.git|\.toolchain|tests\/fixtures)(?:\/|$)/;

function pages(folder = ""): string[] {
  return [...Deno.readDirSync(join(ROOT, folder))].flatMap(({ name, isDirectory }) => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (LEFT_OUT.test(path) || /(?:^|\/)\.theurian(?:\/|$)/.test(path)) return [];
    return isDirectory ? pages(path) : /\.(?:md|sh)$/.test(name) ? [path] : [];
  }).sort();
}

Deno.test("namedCommands() finds what a page shows, in line and in blocks", () => {
  const page =
    "Run `theurian migrate apply` and `theurian`.\n\n```sh\n$ theurian init --json  # x\n" +
    "FOO=1 theurian version | cat\ntheurian compat check \\\n  --json\n```\n`theurian doctor`\n";
  assert.deepEqual(namedCommands(page), [
    ["migrate", "apply"],
    ["init", "--json"],
    ["version"],
    ["compat", "check", "--json"],
    ["doctor"],
  ]);
});

Deno.test("commandFault() knows commands, options and arguments from inventions", async () => {
  const good = ["migrate", "migrate apply", "init --json", "okf export out", "propose accept ID"];
  for (const line of [...good, "propose --title T", "completions bash", "project list --json"]) {
    assert.equal(await commandFault(line.split(" ")), null, line);
  }
  for (const line of ["upgrade", "migrate approve", "init --force", "project list all"]) {
    assert.notEqual(await commandFault(line.split(" ")), null, line);
  }
});

Deno.test("every command that a page shows is one of ours", async () => {
  const faults: string[] = [];
  let seen = 0;
  for (const page of pages()) {
    for (const words of namedCommands(Deno.readTextFileSync(join(ROOT, page)))) {
      const fault = await commandFault(words);
      if (fault !== null) faults.push(`${page}: ${fault}`);
      seen++;
    }
  }
  assert.deepEqual(faults, []);
  assert(seen > 100, `${seen}`);
});

Deno.test("every relative link of a page leads somewhere", () => {
  const broken: string[] = [];
  for (const page of pages().filter((path) => path.endsWith(".md"))) {
    const text = Deno.readTextFileSync(join(ROOT, page)).replace(/```[^]*?```|`[^`]*`/g, "");
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s]+)\)/g)) {
      try {
        Deno.statSync(join(ROOT, dirname(page), target!.split("#")[0]!));
      } catch {
        broken.push(`${page}: ${target}`);
      }
    }
  }
  assert.deepEqual(broken, []);
});
