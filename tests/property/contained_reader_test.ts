import assert from "node:assert/strict";
import { dirname } from "node:path";
import fc from "fast-check";
import { isFault } from "../../src/platform/errors.ts";
import { containedPath, readContained } from "../../src/platform/files/mod.ts";

const NAMES = ["a", "b", "c"];

/** Where a link leads: relative, through `..`, or absolute into, above or beside the root. */
const target = fc.array(fc.constantFrom(...NAMES, "..", "..", "."), { minLength: 1, maxLength: 5 })
  .chain((parts) =>
    fc.constantFrom("", "<root>/", "<root>/../", "<folder>/outside/", "<alias>/", "/").map(
      (start) => start + parts.join("/"),
    )
  );

/** One entry of the world; later ones fill the places that are still free. */
const entry = fc.record({
  path: fc.tuple(
    fc.constantFrom("root", "root", "root", "outside"),
    fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }),
  ).map(([top, parts]) => [top, ...parts].join("/")),
  link: fc.option(target, { freq: 2 }),
});

const request = fc.array(fc.constantFrom(...NAMES, ...NAMES, "..", ".", "", "none"), {
  minLength: 1,
  maxLength: 6,
}).map((parts) => parts.join("/").replace(/^\/+/, ""));

/** A request as drawn, or the way from the base to an entry, with a detour. */
const aim = fc.oneof(
  request.map((path) => ({ path, entry: null })),
  fc.record({ path: fc.constantFrom("", "none/../", "./", "a/../"), entry: fc.nat() }),
);

function aimed(entries: readonly Entry[], drawn: { path: string; entry: number | null }): string {
  if (drawn.entry === null) return drawn.path;
  const { path } = entries[drawn.entry % entries.length]!;
  return `${drawn.path}../${path.replace(/^root\//, "")}`;
}

type Entry = { readonly path: string; readonly link: string | null };

/** Builds the world: files say where they lie. Names taken by a file or link keep what they are. */
function build(folder: string, entries: readonly Entry[]): void {
  for (const top of ["root/base", "outside"]) {
    Deno.mkdirSync(`${folder}/${top}`, { recursive: true });
  }
  Deno.symlinkSync("root", `${folder}/alias`);
  for (const { path, link } of entries) {
    const full = `${folder}/${path}`;
    try {
      Deno.mkdirSync(dirname(full), { recursive: true });
      if (!Deno.realPathSync(dirname(full)).startsWith(folder)) continue;
      if (link === null) {
        Deno.writeTextFileSync(full, Deno.realPathSync(dirname(full)), { createNew: true });
      } else {
        const lead = link.replace("<root>", `${folder}/root`).replace("<folder>", folder)
          .replace("<alias>", `${folder}/alias`);
        Deno.symlinkSync(lead, full);
      }
    } catch {
      // The place is taken.
    }
  }
}

/** The contract's walk, written down once more in the plainest way; `null` where it refuses. */
function plainWalk(root: string, given: string, base: string, path: string): string | null {
  const inside = (at: string) => at === root || at.startsWith(`${root}/`);
  let at = base;
  let rest = path.split("/");
  for (let hops = 0; rest.length > 0;) {
    const [part, ...after] = rest as [string, ...string[]];
    rest = after;
    if (part === "" || part === ".") continue;
    const next = part === ".." ? dirname(at) : `${at === "/" ? "" : at}/${part}`;
    const lead = part === ".." ? null : linkOf(next);
    if (lead === null) at = next;
    else {
      if (++hops > 40) return null;
      if (lead.startsWith("/")) {
        const clean = "/" + lead.split("/").filter((p) => p !== "" && p !== ".").join("/");
        const start = [given, root].find((at) => clean === at || clean.startsWith(`${at}/`));
        if (start === undefined) return null;
        at = root;
        rest = [...clean.slice(start.length).split("/"), ...rest];
      } else rest = [...lead.split("/"), ...rest];
    }
    if (!inside(at)) return null;
  }
  return at;
}

function linkOf(path: string): string | null {
  try {
    return Deno.readLinkSync(path);
  } catch {
    return null;
  }
}

function inWorld(entries: readonly Entry[], check: (folder: string) => void): void {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-walk-" }));
  try {
    build(folder, entries);
    check(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const worlds = fc.array(entry, { minLength: 1, maxLength: 14 });

Deno.test("readContained() never reads outside the root, whatever the links, and reads what it may", () => {
  let read = 0;
  let refused = 0;
  fc.assert(
    fc.property(
      worlds,
      fc.array(aim, { minLength: 4, maxLength: 10 }),
      fc.boolean(),
      (entries, requests, viaAlias) =>
        inWorld(entries, (folder) => {
          const root = `${folder}/root`;
          const given = viaAlias ? `${folder}/alias` : root;
          for (const drawn of requests) {
            const path = aimed(entries, drawn);
            const expected = plainWalk(root, given, `${root}/base`, path);
            try {
              const file = readContained(given, `${given}/base`, path);
              read++;
              assert.ok(file.path.startsWith(`${root}/`), `${path} gave ${file.path}`);
              assert.equal(Deno.realPathSync(file.path), file.path);
              assert.equal(file.path, expected);
              assert.equal(new TextDecoder().decode(file.bytes), dirname(file.path));
            } catch (error) {
              if (!isFault(error)) throw error;
              refused++;
              assert.doesNotMatch(error.message, /outside|platform-walk/);
              if (error.fault === "path-escape") assert.equal(expected, null, path);
              else assert.notEqual(expected, null, `${path}: ${error.fault}`);
            }
          }
        }),
    ),
    { numRuns: 250 },
  );
  assert.ok(read > 100 && refused > 100, `${read} read, ${refused} refused`);
});

Deno.test("containedPath() gives a path inside the root that no link leads away from", () => {
  fc.assert(
    fc.property(worlds, request, (entries, path) =>
      inWorld(entries, (folder) => {
        const root = `${folder}/root`;
        const expected = plainWalk(root, root, root, path);
        try {
          const resolved = containedPath(root, path);
          assert.equal(resolved, expected);
          assert.ok(resolved === root || resolved.startsWith(`${root}/`));
        } catch (error) {
          if (!isFault(error)) throw error;
          assert.equal(error.fault, "path-escape");
          assert.equal(expected, null);
        }
      })),
    { numRuns: 150 },
  );
});
