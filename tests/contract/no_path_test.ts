/**
 * Where `PATH` is unset the runtime itself ends before the program begins (docs/operations.md): what
 * we have started by others sets one.
 *
 * @module
 */

import assert from "node:assert/strict";
import { CHECKOUT } from "../../scripts/program.ts";
import { launchAgentPlist } from "../../src/setup/service/launch_agent_plist.ts";
import { systemdUnit } from "../../src/setup/service/systemd_unit.ts";

const HOOK = `${CHECKOUT}/plugins/claude-code/scripts/session-start.sh`;

function runHook(env: Readonly<Record<string, string>>): string {
  const { code, stdout } = new Deno.Command("/bin/sh", {
    args: [HOOK],
    clearEnv: true,
    env: { HOME: "/nonexistent", ...env },
    stdin: "null",
  }).outputSync();
  assert.equal(code, 0);
  return new TextDecoder().decode(stdout);
}

Deno.test("the session hook works without a PATH, and hands one on", () => {
  const said = runHook({});
  assert.ok(said === "" || JSON.parse(said).systemMessage !== "", said);
  // What the hook sources sees the environment that programs get.
  const root = Deno.makeTempDirSync({ prefix: "release-hook-" });
  try {
    Deno.mkdirSync(`${root}/scripts`);
    Deno.writeTextFileSync(`${root}/scripts/lib.sh`, "/usr/bin/env; exit 0\n");
    const handed = runHook({ CLAUDE_PLUGIN_ROOT: root });
    assert.match(handed, /^PATH=\S*\/usr\/bin/m);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("both service definitions set a PATH", () => {
  const facts = { executable: "/opt/theurian", dataDirectory: "/home/ada/.theurian", port: 7419 };
  assert.match(systemdUnit(facts), /^Environment=PATH=\/\S+$/m);
  assert.match(launchAgentPlist(facts), /<key>PATH<\/key>\s*<string>\/[^<]+<\/string>/);
});
