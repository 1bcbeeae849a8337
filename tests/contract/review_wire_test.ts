/**
 * The whole way of a 64-bit number, under the baked flags: `gh`, evidence file, store, thread, wire.
 *
 * @module
 */

import assert from "node:assert/strict";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import { findProgram, run } from "../../scripts/program.ts";
import { fixturePath, git } from "../support/golden_review.ts";

const META = '"io.modelcontextprotocol/protocolVersion": "2026-07-28", ' +
  '"io.modelcontextprotocol/clientCapabilities": {}';

Deno.test("pull request 9223372036854775807 keeps every digit from gh to the wire and back", async () => {
  const program = findProgram();
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-wire-" }));
  const [root, home] = [`${folder}/wire`, `${folder}/home`];
  Deno.mkdirSync(`${root}/.theurian`, { recursive: true });
  Deno.mkdirSync(`${home}/.config/gh`, { recursive: true });
  git(root, "init", "-q", "-b", "main", ".");
  const config = 'providers:\n  review:\n    repositories: ["acme/widgets"]\n';
  Deno.writeTextFileSync(`${root}/.theurian/config.yaml`, config);
  Deno.writeTextFileSync(`${home}/.config/gh/fake-gh.scenario`, "huge\n");
  const path = `${fixturePath("fake-gh")}:/usr/local/bin:/usr/bin:/bin`;
  const command = async (...argv: string[]) => {
    const ran = await run(program, argv, { cwd: root, env: { HOME: home, PATH: path } });
    assert.equal(ran.exit, 0, ran.stderr);
  };
  try {
    await command("init");
    await command("project", "register", "--project-id", "wire");
    await command("migrate", "apply", "--allow-uncommitted");
    await command("review", "ingest", "acme/widgets");
    const daemon = await Daemon.start(program, { port: freePort(), cwd: root, home, path });
    try {
      for (const meta of ["", META]) await assertExact(daemon, meta);
    } finally {
      await daemon.stop();
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

async function assertExact(daemon: Daemon, meta: string): Promise<void> {
  const found = await call(daemon, meta, "9223372036854775807");
  assert.equal(found.match(/"pullRequest":9223372036854775807[,}]/g)?.length, 1, found);
  // The text block holds the same JSON, escaped once.
  assert.equal(found.match(/\\"pullRequest\\": 9223372036854775807,/g)?.length, 1, found);
  assert.match(found, /"count":1/);
  const near = await call(daemon, meta, "9223372036854775806");
  assert.match(near, /"count":0/);
  const beyond = await call(daemon, meta, "9223372036854775808");
  assert.match(beyond, /"isError":true/);
  assert.match(beyond, /"code":"INVALID_INPUT"/);
  assert.ok(!beyond.includes("9223372036854775808"));
}

/** Posts a call whose number is spliced in as text, and gives the body as it came. */
async function call(daemon: Daemon, meta: string, number: string): Promise<string> {
  const params =
    `"name": "review.search", "arguments": {"projectId": "wire", "pullRequest": ${number}}` +
    (meta === "" ? "" : `, "_meta": {${meta}}`);
  const response = await fetch(`http://127.0.0.1:${daemon.port}/mcp`, {
    method: "POST",
    headers: {
      "authorization": `Bearer ${daemon.token}`,
      "content-type": "application/json",
      "accept": "application/json, text/event-stream",
      ...(meta === "" ? {} : {
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": "review.search",
      }),
    },
    body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {${params}}}`,
  });
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return body;
}
