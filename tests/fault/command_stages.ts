/**
 * Every command line that writes, with the place it is run in and what must hold afterwards.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands.ts";
import { type Outcome, runForTest } from "../../src/cli/test_world.ts";
import { fixturePath, putCompanion } from "../support/golden_review.ts";
import { call } from "../support/tool_calls.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";
import { writeMigration } from "../support/corpus.ts";

/** A repository that is applied, indexed, registered and committed, beside another project. */
export interface Place {
  readonly repository: TemporaryRepository;
  readonly environment: Readonly<Record<string, string>>;
  run(...args: string[]): Promise<Outcome>;
  // deno-lint-ignore no-explicit-any
  document(...args: string[]): Promise<any>;
}

/** One command line under test. */
export interface Stage {
  /** Words of the command, as the table of commands has them. */
  readonly command: string;
  /** The rest of the line; may write what it names. */
  readonly options?: (place: Place) => string[] | Promise<string[]>;
  /** What must be there before. */
  readonly prepare?: (place: Place) => void | Promise<void>;
  /** Exit codes of the second run; a run that ended before it was stopped may refuse the next. */
  readonly again?: readonly number[];
  /** What must hold once it was run to its end. */
  readonly done: (place: Place) => void | Promise<void>;
  /** Tracked files that the command changes. */
  readonly changes?: RegExp;
}

/** Builds the place. */
export async function newPlace(): Promise<Place> {
  const repository = temporaryRepository();
  const { root, dataDirectory, folder } = repository;
  const environment = {
    HOME: folder,
    THEURIAN_DATA_DIR: dataDirectory,
    PATH: `${fixturePath("fake-gh")}:/usr/local/bin:/usr/bin:/bin`,
  };
  const place: Place = {
    repository,
    environment,
    run: (...args) => runForTest([...args, "--json"], { cwd: root, environment }),
    async document(...args) {
      const { exit, stdout, stderr } = await place.run(...args);
      assert.equal(exit, 0, `${args.join(" ")}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
  Deno.mkdirSync(join(folder, ".config/gh"), { recursive: true });
  Deno.mkdirSync(join(folder, "other"));
  new Deno.Command("git", { args: ["init", "-q"], cwd: join(folder, "other") }).outputSync();
  writeMigration(repository, 1, [{ itemId: "guide.kept", body: "# Kept\n\nThe quokka stays.\n" }]);
  repository.write(
    ".theurian/config.yaml",
    'providers:\n  review:\n    repositories: ["acme/widgets"]\n',
  );
  await place.document("init");
  repository.commit();
  await place.document("project", "register", join(folder, "other"));
  await place.document("project", "register");
  await place.document("migrate", "apply");
  await place.document("index", "build");
  await place.document("auth", "rotate", "--port", "1");
  return place;
}

/** What holds at any time, whatever was stopped: what was served is served, nothing is lost. */
export async function assertStands(place: Place, changes: RegExp | undefined): Promise<void> {
  const { dataDirectory } = place.repository;
  const caller = { dataDirectory, now: Date.now() };
  const found = await call(caller, "knowledge.search", { projectId: "demo", query: "quokka" });
  const { count } = found["structuredContent"] as { count?: number } ?? {};
  assert.equal(count, 1, `the kept page is not found: ${JSON.stringify(found).slice(0, 400)}`);
  const { projects, unreadable } = await place.document("project", "list");
  assert.deepEqual(unreadable ?? [], []);
  assert.ok(
    "other" in projects ||
      projects.some?.((one: { projectId: string }) => one.projectId === "other"),
  );
  await place.document("migrate", "status");
  await place.document("index", "status");
  assert.equal((await place.run("auth", "status")).exit, 0);
  const modified = place.repository.git("status", "--porcelain", "-uno").split("\n")
    .filter((line) => line !== "" && !(changes?.test(line) ?? false));
  assert.deepEqual(modified, []);
}

const LEFTOVER = /\.(?:tmp|building|writing|partial|new|staging)$|-journal$|-wal$|-shm$|\.tmp[-.]/;

/** Names of temporaries below the project's and the data directory, `.building` files apart. */
export function leftovers(place: Place): string[] {
  const { root, dataDirectory } = place.repository;
  const found: string[] = [];
  const walk = (directory: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(directory)) {
      if (isDirectory) walk(join(directory, name));
      else if (LEFTOVER.test(name)) found.push(name);
    }
  };
  for (const directory of [join(root, ".theurian"), dataDirectory]) walk(directory);
  return found;
}

const DRAFT = [
  ...["--item-id", "guide.new", "--title", "New", "--kind", "convention", "--owner", "team"],
  ...["--author", "ada@example.org", "--description", "Why", "--agent-id", "a", "--task-id", "t"],
  ...["--model", "human", "--reasoning", "Because", "--authored-here", "--body-file", "new.md"],
];

async function draft(place: Place): Promise<string> {
  place.repository.write("new.md", "# New\n\nThe numbat arrives.\n");
  return (await place.document("propose", ...DRAFT)).proposalId;
}

/** The one proposal there is. */
async function proposalId(place: Place): Promise<string> {
  const { proposals } = await place.document("propose", "list");
  return proposals[0]?.proposalId ?? "01KFZZ00000000000000000000";
}

async function count(place: Place): Promise<number> {
  return (await place.document("propose", "list")).proposals.length;
}

const IMPORT = [
  ...["../bundle", "--owner", "team", "--author", "ada@example.org", "--agent-id", "a"],
  ...["--task-id", "t", "--model", "human", "--reasoning", "Because"],
];

/** All of them but those that `setup` shares with its own machine (tests beside `src/setup`). */
export const STAGES: readonly Stage[] = [
  {
    command: "init",
    prepare: ({ repository }) => {
      repository.write(".gitignore", "node_modules/\n");
      repository.commit();
    },
    changes: /\.gitignore$/,
    done: ({ repository }) => {
      assert.match(repository.read(".gitignore"), /^node_modules\/\n[^]*theurian/);
    },
  },
  {
    command: "project register",
    options: ({ repository }) => [join(repository.folder, "third"), "--project-id", "third"],
    prepare: ({ repository }) => {
      const third = join(repository.folder, "third");
      Deno.mkdirSync(third);
      new Deno.Command("git", { args: ["init", "-q"], cwd: third }).outputSync();
    },
    done: async (place) => {
      assert.match(JSON.stringify(await place.document("project", "list")), /"third"/);
    },
  },
  {
    command: "project unregister",
    options: () => ["gone"],
    prepare: async (place) => {
      const gone = join(place.repository.folder, "gone");
      Deno.mkdirSync(gone);
      new Deno.Command("git", { args: ["init", "-q"], cwd: gone }).outputSync();
      await place.document("project", "register", gone);
    },
    again: [0, 1],
    done: async (place) => {
      assert.doesNotMatch(JSON.stringify(await place.document("project", "list")), /"gone"/);
    },
  },
  {
    command: "migrate apply",
    prepare: ({ repository }) => {
      writeMigration(repository, 2, [{ itemId: "guide.more" }]);
      repository.commit();
    },
    done: async (place) => {
      assert.equal((await place.document("migrate", "status")).pending, 0);
    },
  },
  {
    command: "index build",
    options: () => ["--raptor"],
    prepare: async (place) => {
      writeMigration(place.repository, 2, [{ itemId: "guide.more" }]);
      place.repository.commit();
      await place.document("migrate", "apply");
    },
    done: async (place) => assert.equal((await place.document("index", "status")).stale, false),
  },
  {
    command: "index gc",
    prepare: ({ repository }) => {
      // A build that was abandoned days ago.
      const path = join(repository.root, ".theurian/state/abandoned.sqlite.building");
      Deno.writeTextFileSync(path, "half");
      Deno.utimeSync(path, new Date(Date.now() - 5e8), new Date(Date.now() - 5e8));
    },
    done: async (place) => {
      assert.deepEqual((await place.document("index", "gc")).strandedBuilding, []);
      assert.deepEqual(leftovers(place), []);
    },
  },
  {
    command: "findings build",
    prepare: ({ repository }) => {
      repository.git(
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "X\n\nReview-Finding: security HIGH — y",
      );
      repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
    },
    done: async ({ repository }) => {
      const caller = { dataDirectory: repository.dataDirectory, now: Date.now() };
      const found = await call(caller, "review.findings", { projectId: "demo" });
      assert.equal((found["structuredContent"] as { count: number }).count, 1);
    },
  },
  {
    command: "review ingest",
    options: () => ["acme/widgets"],
    done: ({ repository }) => {
      const folders = [...Deno.readDirSync(join(repository.root, ".theurian/review"))];
      assert.equal(folders.length, 1);
    },
  },
  {
    command: "review build",
    prepare: ({ repository }) => {
      putCompanion(repository.root);
      repository.commit();
    },
    done: async ({ repository }) => {
      const caller = { dataDirectory: repository.dataDirectory, now: Date.now() };
      const found = await call(caller, "review.search", { projectId: "demo" });
      assert.equal((found["structuredContent"] as { count: number }).count, 1);
    },
  },
  {
    command: "propose",
    options: () => DRAFT,
    prepare: ({ repository }) => repository.write("new.md", "# New\n\nThe numbat arrives.\n"),
    again: [0, 1, 4],
    done: async (place) => assert.ok([1, 2].includes(await count(place))),
  },
  {
    command: "propose accept",
    options: async (place) => [await proposalId(place)],
    prepare: async (place) => void await draft(place),
    again: [0, 1, 4],
    done: async (place) => {
      assert.equal((await place.document("migrate", "status")).total, 2);
      await place.document("migrate", "validate");
    },
  },
  {
    command: "propose discard",
    options: async (place) => [await proposalId(place)],
    prepare: async (place) => void await draft(place),
    again: [0, 1, 2, 4],
    done: async (place) => assert.equal(await count(place), 0),
  },
  {
    command: "adopt",
    options: () => ["docs", "--owner", "team", "--author", "ada@example.org"],
    prepare: ({ repository }) => {
      for (const n of [1, 2, 3]) repository.write(`docs/d${n}.md`, `# Doc ${n}\n\nText ${n}.\n`);
      repository.commit();
    },
    done: async (place) => {
      assert.ok(await count(place) > 0);
    },
  },
  {
    command: "ingest",
    prepare: ({ repository }) => repository.write(".theurian/knowledge/a.md", "# A\n\nText.\n"),
    done: async (place) => assert.ok((await place.document("ingest")).unchanged > 0),
  },
  {
    command: "okf export",
    options: () => ["../out"],
    again: [0, 1, 2],
    done: ({ repository }) => {
      assert.ok([...Deno.readDirSync(join(repository.folder, "out"))].length > 1);
    },
  },
  {
    command: "okf import",
    options: () => IMPORT,
    prepare: ({ repository }) => {
      const bundle = join(repository.folder, "bundle");
      Deno.mkdirSync(bundle);
      const front = "---\ntype: decision\ntitle: T\nstatus: approved\n---\n";
      for (const name of ["a", "b"]) {
        Deno.writeTextFileSync(join(bundle, `${name}.md`), `${front}\n# T\n\nText ${name}.\n`);
      }
    },
    again: [0, 1, 4],
    done: async (place) => assert.ok(await count(place) >= 1),
  },
  {
    command: "auth rotate",
    options: () => ["--port", "1"],
    done: ({ repository }) => {
      const token = Deno.readTextFileSync(join(repository.dataDirectory, "auth/mcp-token"));
      assert.match(token, /^[\w-]{43}$/);
    },
  },
];

/** Commands that may write and are not in {@linkcode STAGES}, with the test that holds them. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  "setup": "tests/fault/setup_test.ts",
  "uninstall": "tests/fault/setup_test.ts",
  "daemon start": "tests/fault/token_test.ts",
  "stdio": "tests/fault/proposals_test.ts",
};

/** Commands whose rows keep the right to write. */
export async function writingCommands(): Promise<string[]> {
  const rows = await loadCommands();
  return rows.filter(({ permissions }) => permissions.write).map(({ path }) => path.join(" "));
}
