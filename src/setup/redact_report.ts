import { join } from "node:path";
import { dataPaths } from "../daemon/mod.ts";
import { realPath } from "../platform/files/mod.ts";
import type { SetupWorld } from "./setup_world.ts";

/** A path of the machine and what stands for it in a shared report. */
interface Anchor {
  readonly path: string;
  readonly name: string;
}

/**
 * Replaces every path that names the user, the longest first, in all strings of a report
 * (daemon-and-setup.md 7.7). Throws `TypeError` for a report that was probed without withholding:
 * what has leaked into a finding cannot be taken out by substitution.
 */
export function redactReport<T>(report: T, world: SetupWorld, repository: string | null): T {
  if (!world.withhold) throw new TypeError("A report is redacted only when it was probed for that");
  const anchors = anchorsOf(world, repository);
  return redacted(report, (text) => anchors.reduce(replaceAnchor, text)) as T;
}

function anchorsOf(world: SetupWorld, repository: string | null): Anchor[] {
  const { dataDirectory, executable, home, manager } = world;
  const isDefault = home !== null && dataDirectory === join(home, ".theurian");
  const named: readonly (readonly [string | null, string])[] = [
    [dataPaths(dataDirectory).token, "<token file>"],
    [repository, "<repository>"],
    [isDefault ? null : dataDirectory, "<data directory>"],
    [executable, "<executable>"],
    [manager?.definitionPath ?? null, "<service file>"],
    [home, "~"],
  ];
  return named.flatMap(([path, name]) => {
    if (path === null) return [];
    return [...new Set([path, realPath(path) ?? path])].map((spelling) => ({
      path: spelling,
      name,
    }));
  }).filter(({ path }) => path.length > 1).sort((a, b) => b.path.length - a.path.length);
}

function replaceAnchor(text: string, { path, name }: Anchor): string {
  let done = "";
  for (let from = 0;;) {
    const at = text.indexOf(path, from);
    if (at < 0) return done + text.slice(from);
    const end = at + path.length;
    const isWhole = !/[A-Za-z0-9_-]/.test(text[end] ?? "");
    done += text.slice(from, at) + (isWhole ? name : path);
    from = end;
  }
}

function redacted(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === "string") return clean(value);
  if (Array.isArray(value)) return value.map((item) => redacted(item, clean));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, held]) => [key, redacted(held, clean)]),
  );
}
