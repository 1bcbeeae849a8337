/**
 * What each command may still do once it runs, under the shipped flags. Every guard is first seen to
 * be open (daemon-and-setup.md 11.2).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { PermissionRow } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import {
  ALWAYS_READ,
  GRANTED_ENVIRONMENT,
  GRANTED_PROGRAMS,
  grantFlags,
} from "../../src/platform/grants.ts";
import { type Acts, NEVER } from "../support/permission_probe.ts";

const PROBE = new URL("../support/permission_probe.ts", import.meta.url).pathname;

async function probe(row: PermissionRow, folder: string): Promise<{ before: Acts; after: Acts }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", ...grantFlags()],
      ...[PROBE, JSON.stringify(row), join(folder, "made")],
    ],
    env: { HOME: folder, PATH: folder },
    clearEnv: true,
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

function expected(row: PermissionRow): Record<string, boolean> {
  const acts: Record<string, boolean> = {
    net: row.net,
    read: row.read,
    write: row.write,
    "sys:uid": row.sys.includes("uid"),
  };
  for (const name of NEVER) acts[name] = false;
  for (const name of GRANTED_PROGRAMS) acts[`run:${name}`] = row.run.includes(name);
  for (const name of GRANTED_ENVIRONMENT) {
    acts[`env:${name}`] = ALWAYS_READ.includes(name) || row.env.includes(name);
  }
  return acts;
}

Deno.test("every command keeps exactly what its row lists", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-permissions-" });
  try {
    for (const name of GRANTED_PROGRAMS) {
      Deno.writeTextFileSync(join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
    }
    const rows = new Map<string, { row: PermissionRow; commands: string[] }>();
    for (const { path, permissions } of await loadCommands()) {
      const key = JSON.stringify(permissions);
      const entry = rows.get(key) ?? { row: permissions, commands: [] };
      entry.commands.push(path.join(" "));
      rows.set(key, entry);
    }
    assert(rows.size > 2);
    for (const { row, commands } of rows.values()) {
      const { before, after } = await probe(row, folder);
      for (const [act, open] of Object.entries(before)) {
        assert.equal(
          open,
          !NEVER.some((never) => never === act),
          `${act} with the baked permissions`,
        );
      }
      assert.deepEqual(after, expected(row), commands.join(", "));
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("no flag grants everything, and none reaches another host or a foreign function", () => {
  const flags = grantFlags();
  assert(!flags.some((flag) => /^(-A|--allow-all|--allow-ffi)/.test(flag)));
  assert.deepEqual(flags.filter((flag) => flag.includes("import")), [
    "--allow-import=none.invalid:1",
    "--deny-import",
  ]);
  for (const name of ["net", "run", "env", "sys"]) {
    assert(flags.some((flag) => flag.startsWith(`--allow-${name}=`)), name);
    assert(!flags.includes(`--allow-${name}`));
  }
  assert(flags.includes("--no-prompt"));
});

Deno.test("only commands that manage the service or the client may start anything but git and gh", async () => {
  for (const { path, permissions } of await loadCommands()) {
    const beyond = permissions.run.filter((program) => program !== "git" && program !== "gh");
    const manages = ["daemon", "auth", "setup", "doctor", "uninstall", "hook"].includes(path[0]);
    assert(beyond.length === 0 || manages, path.join(" "));
    if (permissions.run.includes("gh")) assert.deepEqual(path, ["review", "ingest"]);
  }
});
