/**
 * What the documents say is there: every relative link leads somewhere, every command that is shown
 * exists with the options it is shown with.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GROUPS } from "../../src/cli/commands.ts";
import { resolveCommand } from "../../src/cli/resolve_command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

function* markdownFiles(folder: string): Generator<string> {
  for (const entry of Deno.readDirSync(join(ROOT, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory) {
      if (folder !== "" || ["docs", "plugins", "examples"].includes(entry.name)) {
        // Knowledge bodies are sample content, not documents of the product.
        if (entry.name !== ".theurian") yield* markdownFiles(path);
      }
    } else if (entry.name.endsWith(".md")) yield path;
  }
}

const DOCUMENTS = [...markdownFiles("")].sort();

for (const path of DOCUMENTS) {
  const text = Deno.readTextFileSync(join(ROOT, path));

  Deno.test(`every relative link of ${path} leads somewhere`, () => {
    for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:|^#/.test(target!)) continue;
      const file = join(ROOT, dirname(path), target!.replace(/#.*$/, ""));
      assert.ok(exists(file), target);
    }
  });

  // The reference is written from the table, and its own test compares the two.
  if (path === "docs/cli.md") continue;

  Deno.test(`every command that ${path} shows exists`, async () => {
    for (const line of shownCommands(text)) {
      const request = await resolveCommand(GROUPS, words(line));
      const message = request.kind === "usage" ? request.fault.message : "";
      assert.ok(
        request.kind !== "usage" || isFragment(message),
        `theurian ${line}: ${message}`,
      );
    }
  });
}

Deno.test("the documents show commands at all", () => {
  assert.ok(DOCUMENTS.includes("README.md") && DOCUMENTS.length > 10);
});

/** A command may be shown by its name alone, without what it requires. */
function isFragment(message: string): boolean {
  return /^Missing /.test(message);
}

/** Command lines in code spans and fenced blocks, without the word `theurian`. */
function shownCommands(text: string): string[] {
  const spans = [...text.matchAll(/`theurian ([^`\n]+)`/g)].map((match) => match[1]!);
  const blocks = [...text.matchAll(/```[a-z]*\n([\s\S]*?)```/g)].flatMap((match) =>
    match[1]!.split("\n").map((line) => /^(?:\$ )?theurian (.+)$/.exec(line.trim())?.[1] ?? null)
      .filter((line) => line !== null)
  );
  return [...spans, ...blocks];
}

function words(line: string): string[] {
  const bare = line.replace(/\s+#.*$/, "").replace(/\s*(?:[|>]|&&|\\$).*$/, "");
  return [...bare.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map((match) => match[1] ?? match[2] ?? match[3]!)
    .filter((word) => word !== "…" && word !== "...")
    .map((word) => word.replace(/^<(.+)>$/, "$1"));
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
