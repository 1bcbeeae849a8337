/**
 * docs/proposals.md shows what the commands print: the guide's own story is played, and its blocks
 * are compared with what came, ids and times aside.
 *
 * @module
 */

import assert from "node:assert/strict";
import { runForTest } from "../../src/cli/test_world.ts";
import { temporaryRepository } from "../support/temporary_repository.ts";

const GUIDE = Deno.readTextFileSync(new URL("../../docs/proposals.md", import.meta.url));

/** Ids become their number of appearance, times one word: the same story gives the same text. */
function normalised(text: string): string {
  const ids = new Map<string, string>();
  return text
    .replace(/[0-7][0-9A-HJKMNP-TV-Z]{25}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `ID${ids.size + 1}`);
      return ids.get(id)!;
    })
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00/g, "TIME");
}

/** What the guide says that a command prints; the block begins with the command. */
function shown(command: string): string {
  for (const [, block] of GUIDE.matchAll(/^```\n(\$ theurian [^]*?)^```$/gm)) {
    const [first, ...rest] = block!.split("\n");
    if (first!.startsWith(`$ theurian ${command}`)) return rest.join("\n");
  }
  throw new assert.AssertionError({ message: `the guide shows no ${command}` });
}

Deno.test("the reviewer's guide shows what listing, showing, accepting and adopting print", async () => {
  using at = temporaryRepository();
  at.git("config", "user.name", "Ada Vale");
  at.git("config", "user.email", "ada@example.org");
  at.write(
    "body.md",
    "# Refunds above 200 euros need a second person\n\n" +
      "A refund above 200 euros is approved by somebody who did not request it.\n",
  );
  const run = async (...args: string[]) => {
    const { exit, stdout, stderr } = await runForTest(args, {
      cwd: at.root,
      environment: at.environment,
    });
    assert.equal(exit, 0, stderr);
    return stdout;
  };
  const drafted = JSON.parse(
    await run(
      ...["propose", "--json", "--item-id", "convention.refund-approval"],
      ...["--title", "Refunds above 200 euros need a second person", "--kind", "convention"],
      ...["--owner", "payments", "--author", "ada@example.org", "--body-file", "body.md"],
      ...["--description", "Record the rule from the March incident", "--label", "payments"],
      ...["--agent-id", "claude-code", "--model", "claude-opus", "--task-id", "INC-2026-031"],
      ...["--reasoning", "Two refunds were approved by their requester"],
      ...["--source-uri", "https://git.example.org/shop/orders/pull/131"],
    ),
  );
  const compare = async (command: string, ...args: string[]) => {
    const printed = await run(...args);
    assert.equal(normalised(printed), normalised(shown(command)), command);
  };
  await compare("propose list", "propose", "list");
  await compare("propose show", "propose", "show", drafted.proposalId);
  await compare("propose accept", "propose", "accept", drafted.proposalId);
  at.write("AGENTS.md", "# Working in this repository\n\nAsk first.\n");
  at.write("docs/adr/0001-use-redis.md", "# 1. Use Redis\n\n## Status\n\nSuperseded by 2\n");
  at.write("docs/adr/0002-use-postgresql.md", "# 2. Use PostgreSQL\n\n## Status\n\nAccepted\n");
  at.write("docs/adr/template.md", "# Title\n");
  at.commit();
  await compare("adopt", "adopt", "docs", "AGENTS.md");
});
