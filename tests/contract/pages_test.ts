/**
 * Pages that people read: every command they show is one of ours and would be taken as it stands,
 * every relative link leads somewhere (cli-and-plugins.md section 5).
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
    "FOO=1 theurian version | cat\ntheurian compat check \\\n  --json\n```\n`theurian doctor`\n" +
    '```\ntheurian explain "two words" --item <ID> && true\n```\n`theurian adopt docs …`\n';
  assert.deepEqual(namedCommands(page), [
    ["migrate", "apply"],
    ["init", "--json"],
    ["version"],
    ["compat", "check", "--json"],
    ["doctor"],
    ["explain", "two words", "--item", "ID"],
    ["adopt", "docs"],
  ]);
});

Deno.test("commandFault() knows commands, options and arguments from inventions", async () => {
  const good = ["migrate", "migrate apply", "init --json", "okf export out", "propose accept ID"];
  const named = ["propose --title T", "completions bash", "project list --json", "adopt"];
  for (const line of [...good, ...named, "daemon start --port $PORT --foreground"]) {
    assert.equal(await commandFault(line.split(" ")), null, line);
  }
  const invented = ["upgrade", "migrate approve", "init --force", "project list all"];
  for (const line of [...invented, "completions csh", "daemon start --port 0", "init --json=x"]) {
    assert.notEqual(await commandFault(line.split(" ")), null, line);
  }
});

Deno.test("every command that a page shows is one of ours", async () => {
  const faults: string[] = [];
  let seen = 0;
  for (const page of pages()) {
    // Written from the table, in the notation of a synopsis; its own test compares the two.
    if (page === "docs/cli.md") continue;
    for (const words of namedCommands(Deno.readTextFileSync(join(ROOT, page)))) {
      const fault = await commandFault(words);
      if (fault !== null) faults.push(`${page}: ${fault}`);
      seen++;
    }
  }
  assert.deepEqual(faults, []);
  assert(seen > 60, `${seen}`);
});

Deno.test("every relative link of a page leads somewhere, to its heading too", () => {
  const broken: string[] = [];
  let seen = 0;
  for (const page of pages().filter((path) => path.endsWith(".md"))) {
    const text = withoutCode(Deno.readTextFileSync(join(ROOT, page)));
    for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)) {
      seen++;
      const [file, heading] = target!.split("#");
      const path = file === "" ? page : join(dirname(page), file!);
      if (!leadsTo(path, heading)) broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
  assert(seen > 20, `${seen}`);
});

function withoutCode(text: string): string {
  return text.replace(/```[^]*?```|`[^`]*`/g, "");
}

function leadsTo(path: string, heading: string | undefined): boolean {
  try {
    Deno.statSync(join(ROOT, path));
  } catch {
    return false;
  }
  if (heading === undefined) return true;
  const text = Deno.readTextFileSync(join(ROOT, path)).replace(/```[^]*?```/g, "");
  return [...text.matchAll(/^#+ +(.+)$/gm)].some((match) => anchorOf(match[1]!) === heading);
}

/** As the forge makes it: lower case, marks away, dashes for blanks. */
function anchorOf(heading: string): string {
  return heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
}
