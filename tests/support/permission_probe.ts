/**
 * Tries every act that the baked permissions allow, drops what the row given as argument does not
 * keep, and tries again. Prints both results as JSON. Run with the shipped flags.
 *
 * @module
 */

import type { PermissionRow } from "../../src/cli/command.ts";
import { dropPermissions } from "../../src/cli/drop_permissions.ts";
import { GRANTED_ENVIRONMENT, GRANTED_PROGRAMS } from "../../src/platform/grants.ts";

/** Which acts went through. */
export type Acts = Readonly<Record<string, boolean>>;

function allowed(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
}

function tryAll(): Acts {
  const acts: Record<string, boolean> = {
    net: allowed(() => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close()),
    elsewhere: allowed(() => Deno.listen({ hostname: "0.0.0.0", port: 0 }).close()),
    read: allowed(() => Deno.readTextFileSync("/etc/hostname")),
    write: allowed(() => Deno.mkdirSync(Deno.args[1]!, { recursive: true })),
    "sys:uid": allowed(() => Deno.uid()),
    "sys:hostname": allowed(() => Deno.hostname()),
    "run:sh": allowed(() => new Deno.Command("/bin/sh", { args: ["-c", ":"] }).outputSync()),
  };
  for (const name of GRANTED_PROGRAMS) {
    acts[`run:${name}`] = allowed(() => new Deno.Command(name).outputSync());
  }
  for (const name of GRANTED_ENVIRONMENT) acts[`env:${name}`] = allowed(() => Deno.env.get(name));
  acts["env:LD_PRELOAD"] = allowed(() => Deno.env.get("LD_PRELOAD"));
  return acts;
}

if (import.meta.main) {
  const before = tryAll();
  dropPermissions(JSON.parse(Deno.args[0]!) as PermissionRow);
  const text = JSON.stringify({ before, after: tryAll() });
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
