/**
 * The names that recorded values use (`$REPO`, `$PORT`, `${CORE}` …) and their values in a run.
 *
 * @module
 */

import type { Json } from "./_cases.ts";
import type { Program } from "../../scripts/program.ts";
import { run } from "../../scripts/program.ts";

/** Values by name, without the dollar sign. */
export type Variables = ReadonlyMap<string, string>;

/** Replaces names in every text of a value, the longest name first. */
export function substitute<Value extends Json | undefined>(
  value: Value,
  variables: Variables,
): Value {
  if (typeof value === "string") return replaceNames(value, variables) as Value;
  if (Array.isArray(value)) return value.map((item) => substitute(item, variables)) as never;
  if (typeof value !== "object" || value === null || JSON.stringify(value)[0] !== "{") return value;
  const entries = Object.entries(value).map(([key, item]) => [key, substitute(item, variables)]);
  return Object.fromEntries(entries) as Value;
}

function replaceNames(text: string, variables: Variables): string {
  if (!text.includes("$")) return text;
  const names = [...variables.keys()].sort((a, b) => b.length - a.length);
  let replaced = text;
  for (const name of names) {
    const value = variables.get(name) ?? "";
    replaced = replaced.replaceAll(`\${${name}}`, value).replaceAll(`$${name}`, value);
  }
  return replaced;
}

/** The version names, when the program's own version is a plain X.Y.Z. */
export async function versionVariables(program: Program, cwd: string): Promise<Variables> {
  const { stdout } = await run(program, ["version", "--json"], {
    cwd,
    env: { HOME: cwd, PATH: Deno.env.get("PATH") ?? "" },
  });
  const { version } = JSON.parse(stdout) as { version: string };
  const [, major, minor] = /^(\d+)\.(\d+)\.\d+$/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return new Map([["CORE", version]]);
  const line = (offset: number) => `${major}.${Number(minor) + offset}.0`;
  return new Map([
    ["CORE", version],
    ["THIS_MINOR", line(0)],
    ["NEXT_MINOR", line(1)],
    ["SECOND_NEXT_MINOR", line(2)],
  ]);
}
