/**
 * Whole commands, each killed and each failing at every step of its writing: what was served before
 * is served after, and the same command run again ends as one that was never stopped.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { runForTest } from "../../src/cli/test_world.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { writeMigration } from "../support/corpus.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";

const CHILD = fileURLToPath(new URL("../support/command_until_stopped.ts", import.meta.url));

/** A command, what it works on, and the fewest steps of writing that it must show. */
interface Scenario {
  readonly args: readonly string[];
  readonly prepare: (repository: TemporaryRepository) => Promise<void>;
  readonly steps: number;
  /** Exit codes of a step that fails, as the command's own table says. */
  readonly exits: readonly number[];
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  init: {
    args: ["init"],
    prepare: (repository) => {
      repository.write(".gitignore", "dist/");
      return Promise.resolve();
    },
    steps: 20,
    exits: [1],
  },
  "project register": {
    args: ["project", "register", "--project-id", "demo"],
    prepare: async (repository) => {
      Deno.mkdirSync(join(repository.folder, "other"));
      const git = ["-C", join(repository.folder, "other"), "init", "-q"];
      new Deno.Command("git", { args: git }).outputSync();
      await run(repository, ["project", "register", "../other"], 0);
    },
    steps: 4,
    exits: [1],
  },
  ingest: {
    args: ["ingest"],
    prepare: async (repository) => {
      await served(repository);
      repository.write(".theurian/specifications/a.json", '{"title": "A"}');
      await run(repository, ["ingest"], 0);
      repository.write(".theurian/specifications/b.json", '{"title": "B"}');
    },
    steps: 4,
    exits: [4],
  },
  "index gc": {
    args: ["index", "gc"],
    prepare: async (repository) => {
      await served(repository);
      // A build that is none of ours goes.
      const name = "theurian-index-01ARZ3NDEKTSV4RRFFQ69G5FAV.sqlite";
      repository.write(`.theurian/state/${name}`, "other");
    },
    steps: 2,
    exits: [1],
  },
};

async function served(repository: TemporaryRepository): Promise<void> {
  writeMigration(repository, 1, [{ itemId: "domain.a" }]);
  repository.commit();
  await run(repository, ["migrate", "apply"], 0);
  await run(repository, ["index", "build"], 0);
}

async function run(
  { root: cwd, environment }: TemporaryRepository,
  args: readonly string[],
  expected: number,
) {
  const outcome = await runForTest([...args, "--json"], { cwd, environment });
  assert.equal(outcome.exit, expected, `${args.join(" ")}: ${outcome.stderr}`);
  return outcome;
}

/** Names and texts of all files, without what tells the time. */
function tree({ folder, root, dataDirectory }: TemporaryRepository): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      const child = join(path, name);
      if (name === ".git") continue;
      found[anyRun(relative(folder, child))] = isDirectory ? "" : contentOf(child);
      if (isDirectory) walk(child);
    }
  };
  walk(root);
  if (exists(dataDirectory)) walk(dataDirectory);
  return found;
}

function contentOf(path: string): string {
  return path.endsWith(".sqlite")
    ? `${Deno.statSync(path).size} bytes`
    : anyRun(Deno.readTextFileSync(path));
}

/** Without what differs in each run: ids, times and the place of the repository. */
function anyRun(text: string): string {
  return text.replace(/01M[0-9A-HJKMNP-TV-Z]{23}/g, "ULID")
    .replace(/20\d\d-\d\d-\d\dT[\d:.+]*/g, "TIME")
    .replace(/"[^"\n]*\/theurian-[^/"]*\//g, '"/');
}

function exists(path: string): boolean {
  try {
    return Deno.statSync(path) !== null;
  } catch {
    return false;
  }
}

/** What searches are answered from: it must stay whatever happens. */
function pointers({ root }: TemporaryRepository): string[] {
  return ["active.json", "active-index.json"].map((name) => join(root, ".theurian/state", name))
    .filter(exists).map((path) => Deno.readTextFileSync(path));
}

for (const [name, { args, prepare, steps, exits }] of Object.entries(SCENARIOS)) {
  Deno.test(`${name} that is killed at any step is ended by the next run`, async () => {
    const whole = await undisturbed(prepare, args);
    let killed = 0;
    for (let step = 1; step < 200; step++) {
      using repository = temporaryRepository();
      await prepare(repository);
      const before = pointers(repository);
      const { signal, code } = new Deno.Command(Deno.execPath(), {
        args: ["run", "-q", "--no-check", "-A", CHILD, `${step}`, "kill", ...args, "--json"],
        cwd: repository.root,
        // The runtime finds its cache of libraries through the home directory.
        env: { ...repository.environment, DENO_DIR: cacheDirectory() },
      }).outputSync();
      assert.deepEqual(pointers(repository), before);
      if (signal === null) {
        assert.equal(code, 0);
        break;
      }
      killed++;
      await run(repository, args, 0);
      assert.deepEqual(withoutTemporaries(tree(repository)), whole, `killed at step ${step}`);
    }
    assert.ok(killed >= steps, `only ${killed} steps`);
  });

  Deno.test(`${name} that meets a full disk at any step says so and is ended by the next run`, async () => {
    const whole = await undisturbed(prepare, args);
    let met = 0;
    for (let failing = 1; failing < 200; failing++) {
      using repository = temporaryRepository();
      await prepare(repository);
      const before = pointers(repository);
      let count = 0;
      setWritePointHook((step) => {
        if (step === "remove" && name !== "index gc") return;
        if (++count === failing) throw Object.assign(new Error("full"), { code: "ENOSPC" });
      });
      let outcome;
      try {
        const { root: cwd, environment } = repository;
        outcome = await runForTest([...args, "--json"], { cwd, environment });
      } finally {
        setWritePointHook(null);
      }
      if (count < failing) break;
      met++;
      assert.deepEqual(pointers(repository), before);
      if (outcome.exit !== 0) {
        assert.ok(
          exits.includes(outcome.exit),
          `step ${failing}: ${outcome.exit} ${outcome.stderr}`,
        );
        assert.deepEqual(Object.keys(JSON.parse(outcome.stderr)), ["error", "remedy"]);
        assert.equal(outcome.stdout, "");
      }
      await run(repository, args, 0);
      assert.deepEqual(tree(repository), whole, `failed at step ${failing}`);
    }
    assert.ok(met >= steps, `only ${met} steps`);
  });
}

function cacheDirectory(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

async function undisturbed(
  prepare: Scenario["prepare"],
  args: readonly string[],
): Promise<Record<string, string>> {
  using repository = temporaryRepository();
  await prepare(repository);
  await run(repository, args, 0);
  return tree(repository);
}

/** A killed process cannot remove its temporary; it stands beside, under a name of its own. */
function withoutTemporaries(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !/\.tmp$/.test(name)));
}
