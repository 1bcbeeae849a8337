import { dirname, isAbsolute, join, parse, sep } from "node:path";
import { lookAt } from "./_checked_open.ts";
import { realPath } from "./describe_path.ts";
import { LINK_HOPS } from "./limits.ts";

/** Why a route is refused; the route itself is never told. */
export type RouteFault = "leaves" | "absolute-link" | "unreadable-link" | "too-many-links";

/** Thrown inside this folder only. */
export class RouteRefusal extends Error {
  constructor(readonly fault: RouteFault) {
    super(fault);
  }
}

const SEPARATORS = sep === "\\" ? /[\\/]+/ : /\/+/;

/** The named parts of a path: `.` and empty parts say nothing, `..` stays. */
export function partsOf(path: string): string[] {
  return path.split(SEPARATORS).filter((part) => part !== "" && part !== ".");
}

/** True when `path` is `root` or lies below it; both resolved. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Where a walk may go and where it starts, as spelled and as resolved. */
export interface Places {
  readonly root: string;
  readonly rootReal: string;
  readonly base: string;
  readonly baseReal: string;
}

/** Resolves both places; `null` when one is missing or the base does not lie inside the root. */
export function resolvePlaces(root: string, base: string): Places | null {
  const rootReal = realPath(root);
  const baseReal = base === root ? rootReal : realPath(base);
  if (rootReal === null || baseReal === null || !isInside(rootReal, baseReal)) return null;
  return { root, rootReal, base, baseReal };
}

/**
 * Walks `request` from the base as written, one link hop at a time, and returns the resolved path. A
 * step that stands outside the root refuses, also when the route would come back
 * (corpus-and-migrations.md 10.2, step 3). A part that is missing or no directory stays as text, so
 * `none/../a.md` is `a.md`; `..` after a link leaves the link's target.
 */
export function walkInside(places: Places, request: string): string {
  const { root, rootReal, base, baseReal } = places;
  const pending = partsOf(request).reverse();
  let current = baseReal;
  let hops = 0;
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const next = part === ".." ? dirname(current) : join(current, part);
    const target = part === ".." ? null : linkTarget(next);
    if (target === null) {
      current = next;
    } else {
      if (++hops > LINK_HOPS) throw new RouteRefusal("too-many-links");
      let tail = partsOf(target);
      if (isAbsolute(target)) {
        const entry = admit(target, [[root, rootReal], [base, baseReal]]);
        current = entry.start;
        tail = entry.tail;
      }
      for (let i = tail.length - 1; i >= 0; i--) pending.push(tail[i]!);
    }
    if (!isInside(rootReal, current)) throw new RouteRefusal("leaves");
  }
  return current;
}

/** False too for what is missing or cannot be looked at: it stays as text, and a read will fail on it. */
export function isLink(path: string): boolean {
  try {
    return lookAt(path)?.isSymlink ?? false;
  } catch {
    return false;
  }
}

/** Where a link leads; `null` for anything that is no link. */
function linkTarget(path: string): string | null {
  if (!isLink(path)) return null;
  try {
    return Deno.readLinkSync(path);
  } catch {
    throw new RouteRefusal("unreadable-link");
  }
}

/** An absolute target may only lie below a place that we started from, as given or as resolved. */
function admit(
  target: string,
  places: readonly (readonly [given: string, real: string])[],
): { start: string; tail: string[] } {
  const parts = partsOf(target);
  for (const [given, real] of places) {
    for (const spelling of [given, real]) {
      if (!isAbsolute(spelling) || parse(spelling).root !== parse(target).root) continue;
      const prefix = partsOf(spelling);
      if (prefix.every((part, i) => part === parts[i])) {
        return { start: real, tail: parts.slice(prefix.length) };
      }
    }
  }
  throw new RouteRefusal("absolute-link");
}
