/**
 * Tries every act that the baked permissions allow, and some that nothing allows. As a program of
 * its own it drops what the row given as argument does not keep, tries again, and prints both
 * results as JSON; it is run with the shipped flags.
 *
 * @module
 */

import type { PermissionRow } from "../../src/cli/command.ts";
import { dropPermissions } from "../../src/cli/drop_permissions.ts";
import { GRANTED_ENVIRONMENT, GRANTED_PROGRAMS } from "../../src/platform/grants.ts";

/** Which acts went through. */
export type Acts = Readonly<Record<string, boolean>>;

/** A module of a host that the runtime allows by itself; joined late, so that no build looks for it. */
const REMOTE = ["https:", "", "gist.githubusercontent.com", "x.ts"];

/** Acts that no command may do, whatever its row says. */
export const NEVER = [
  "elsewhere",
  "connect:elsewhere",
  "import",
  "ffi",
  "sys:hostname",
  "run:sh",
  "env:LD_PRELOAD",
  "env:all",
] as const;

async function allowed(act: () => unknown): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

/** The runtime's own refusals; an import says it in a `TypeError`, an executable has no way to fetch. */
function isRefusal(error: unknown): boolean {
  return error instanceof Deno.errors.NotCapable ||
    (error instanceof TypeError && /Requires import access|Module not found/.test(error.message));
}

/** Tries everything; `folder` is made when writing is possible. */
export async function tryAll(folder: string): Promise<Acts> {
  const acts: Record<string, boolean> = {};
  const attempt = async (name: string, act: () => unknown) => acts[name] = await allowed(act);
  await attempt("net", () => Deno.listen({ hostname: "127.0.0.1", port: 0 }).close());
  await attempt("elsewhere", () => Deno.listen({ hostname: "0.0.0.0", port: 0 }).close());
  await attempt("connect:elsewhere", () => Deno.connect({ hostname: "192.0.2.1", port: 9 }));
  await attempt("import", () => import(REMOTE.join("/")));
  await attempt("ffi", () => Deno.dlopen("/nowhere.so", {}));
  await attempt("read", () => Deno.readTextFileSync("/etc/passwd"));
  await attempt("write", () => Deno.mkdirSync(folder, { recursive: true }));
  await attempt("sys:uid", () => Deno.uid());
  await attempt("sys:hostname", () => Deno.hostname());
  await attempt("run:sh", () => new Deno.Command("/bin/sh", { args: ["-c", ":"] }).outputSync());
  for (const name of GRANTED_PROGRAMS) {
    await attempt(`run:${name}`, () => new Deno.Command(name).outputSync());
  }
  for (const name of [...GRANTED_ENVIRONMENT, "LD_PRELOAD"]) {
    await attempt(`env:${name}`, () => Deno.env.get(name));
  }
  await attempt("env:all", () => Deno.env.toObject());
  return acts;
}

if (import.meta.main) {
  const folder = Deno.args[1]!;
  const before = await tryAll(folder);
  dropPermissions(JSON.parse(Deno.args[0]!) as PermissionRow);
  const text = JSON.stringify({ before, after: await tryAll(folder) });
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
