/**
 * An export or an import that fails or is killed at any step of its writing: no part of a bundle at
 * the target, no half of a proposal, and the same command goes on where it was (okf.md sections 4
 * and 5).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setWritePointHook, type WriteStep } from "../../src/platform/files/_write_points.ts";
import {
  applied,
  bundle,
  exported,
  IMPORT,
  imported,
  migrationOf,
  page,
  relation,
  tree,
} from "../support/okf_project.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";

/** More steps than either command takes here. */
const STEPS = 150;

const FILES = {
  "a.md": page("theurian_relations:\n- {type: depends_on, target: b.c}\n"),
  "b/c.md": page("theurian_content_type: application/json\ntheurian_body_file: c.json\n"),
  "b/c.json": '{"c": 1}\n',
  "d.md": page().replace("title: T", "title: Another"),
};
/** Three concepts and their edge. */
const PROPOSALS = 4;

interface Met {
  readonly step: WriteStep | null;
}

/** Fails the nth step of `work` as a full disk does; which one it was, or `null` when there are fewer. */
async function failingAt(nth: number, work: () => Promise<unknown>): Promise<Met> {
  let count = 0;
  let met: WriteStep | null = null;
  setWritePointHook((step) => {
    // A full disk does not stop a removal.
    if (step === "remove" || ++count !== nth) return;
    met = step;
    throw Object.assign(new Error("no space"), { code: "ENOSPC" });
  });
  try {
    await work();
  } finally {
    setWritePointHook(null);
  }
  return { step: met };
}

/** Runs a command in a process that kills itself at the nth step; true when it was killed. */
async function killedAt(
  { root, folder, dataDirectory }: TemporaryRepository,
  nth: number,
  ...args: string[]
): Promise<boolean> {
  const script = fileURLToPath(new URL("../support/okf_until_killed.ts", import.meta.url));
  const { signal, code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "--allow-all", script],
      ...[root, folder, dataDirectory, `${nth}`, ...args],
    ],
  }).output();
  assert.ok(signal !== null || code === 0, new TextDecoder().decode(stderr));
  return signal !== null;
}

/** Every proposal that stands is whole: a migration, its evidence, and each body it names. */
function wholeProposals(repository: TemporaryRepository): string[] {
  const folder = join(repository.root, ".theurian/proposals");
  const ids = [...new Set(tree(folder).map((path) => path.split("/")[0]!))];
  for (const id of ids) {
    const names = tree(join(folder, id));
    const { operations } = migrationOf(repository, id) as { operations: { op: string }[] };
    const bodies = operations.filter(({ op }) => op === "upsertRevision").length;
    assert.equal(names.length, 2 + bodies, names.join());
    assert(names.includes("evidence.json"));
    JSON.parse(Deno.readTextFileSync(join(folder, id, "evidence.json")));
  }
  return ids.sort();
}

/** The same import again: everything is drafted once, and nothing lies about. */
async function goesOn(repository: TemporaryRepository, root: string, before: readonly string[]) {
  const { exit, json } = await imported(repository, root);
  assert.deepEqual([exit, json.conceptsAdmitted, json.refusals], [0, 3, []]);
  const after = wholeProposals(repository);
  assert.equal(after.length, PROPOSALS, "what was drafted before is found again");
  assert.deepEqual([...json.proposalIds].sort(), after);
  for (const id of before) assert(after.includes(id));
  assert.deepEqual(tree(join(repository.root, ".theurian/runtime")), ["write.lock"]);
}

Deno.test("an import that meets a full disk at any step leaves whole proposals, and goes on", async () => {
  let met: Met = { step: "create" };
  let nth = 1;
  const steps = new Set<WriteStep>();
  for (; met.step !== null; nth++) {
    assert.ok(nth < STEPS);
    using repository = temporaryRepository();
    const root = bundle(repository, FILES);
    let exit = 0;
    let json: { error?: string; remedy?: string } = {};
    met = await failingAt(nth, async () => ({ exit, json } = await imported(repository, root)));
    if (met.step !== null) steps.add(met.step);
    const drafted = wholeProposals(repository);
    if (exit !== 0) {
      assert(exit === 1 || exit === 4, JSON.stringify(json));
      assert(json.error && json.remedy);
      if (drafted.length > 0) assert.match(json.error, /proposals are drafted/);
    } else assert.equal(drafted.length, PROPOSALS, `step ${nth}`);
    await goesOn(repository, root, drafted);
  }
  assert(nth > 20 && steps.has("write") && steps.has("rename"), `${nth}: ${[...steps]}`);
});

Deno.test("an import killed at any step leaves whole proposals, and goes on", async () => {
  let killed = true;
  let nth = 1;
  for (; killed; nth += 3) {
    assert.ok(nth < STEPS);
    using repository = temporaryRepository();
    const root = bundle(repository, FILES);
    killed = await killedAt(repository, nth, "okf", "import", root, ...IMPORT, "--json");
    await goesOn(repository, root, wholeProposals(repository));
  }
  assert(nth > 20);
});

const ITEMS = [
  { itemId: "a" },
  { itemId: "b.c", contentType: "application/json", body: '{"c": 1}\n' },
];
const EXPORTED = ["a.md", "b/c.json", "b/c.md", "b/index.md", "index.md", "theurian-bundle.md"];

const staging = (repository: TemporaryRepository) =>
  [...Deno.readDirSync(repository.folder)].filter(({ name }) => name.startsWith("_okf-export-"));

Deno.test("an export that meets a full disk at any step leaves nothing, or the whole bundle", async () => {
  using repository = await applied(ITEMS, [relation("a", "depends_on", "b.c")]);
  let met: Met = { step: "create" };
  let nth = 1;
  for (; met.step !== null; nth++) {
    assert.ok(nth < STEPS);
    let exit = 0;
    met = await failingAt(
      nth,
      async () => ({ exit } = await exported(repository, `../out-${nth}`)),
    );
    const files = tree(join(repository.folder, `out-${nth}`));
    assert.deepEqual(files, exit === 0 ? EXPORTED : [], `step ${nth}`);
    assert(exit === 0 || exit === 1, `${exit}`);
    assert.deepEqual(staging(repository), []);
  }
  assert(nth > 8, `${nth}`);
});

Deno.test("an export killed at any step leaves nothing at the target, or the whole bundle", async () => {
  using repository = await applied(ITEMS);
  let killed = true;
  for (let nth = 1; killed; nth++) {
    assert.ok(nth < STEPS);
    const target = join(repository.folder, "out");
    killed = await killedAt(repository, nth, "okf", "export", target);
    const files = tree(target);
    assert(files.length === 0 || files.join() === EXPORTED.join(), `step ${nth}: ${files}`);
    // What a killed export left beside the target is in nobody's way.
    if (files.length > 0) Deno.removeSync(target, { recursive: true });
    const { exit } = await exported(repository);
    assert.equal(exit, 0);
    Deno.removeSync(target, { recursive: true });
  }
});
