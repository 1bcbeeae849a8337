/**
 * The states of the recorded journey. Each is built once, kept as a snapshot, and put back at one
 * and the same path, because registries and provenance name absolute roots.
 *
 * @module
 */

import { CORPUS } from "./_cases.ts";
import { type Program, type Run, run } from "../../scripts/program.ts";
import {
  buildRecordedRepository,
  commitAll,
  copyTree,
  removeTree,
  writeText,
} from "./_repository.ts";

/** The body that drafts on the command line offer; the recording used another text. */
export const DRAFT_BODY = "# Retry backoff\n\nDouble the pause after each failed attempt.\n";

/** Thrown when a state needs a command that is not built. */
export class StateUnavailable extends Error {}

/** Tells whether a command is built. */
export type CommandCheck = (path: readonly string[]) => Promise<boolean>;

interface StateRecipe {
  readonly from: string | null;
  readonly build: (workspace: Workspace) => Promise<void>;
}

const SERVING_PROFILE = /^profile-([a-z]+?)(-index-internal)?$/;

/** One folder (`$WORK`) in which one state at a time is in place. */
export class Workspace {
  readonly program: Program;
  readonly work: string;
  readonly path: string;
  readonly #isBuilt: CommandCheck;
  readonly #snapshots: string;
  readonly #failed = new Map<string, Error>();

  constructor(program: Program, isBuilt: CommandCheck, base: string) {
    this.program = program;
    this.#isBuilt = isBuilt;
    this.work = `${base}/work`;
    this.#snapshots = `${base}/snapshots`;
    this.path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
    Deno.mkdirSync(this.#snapshots, { recursive: true });
  }

  get home(): string {
    return `${this.work}/home`;
  }

  /** Root of the repository that a state's cases mean by `$REPO`. */
  repositoryOf(state: string): string {
    return `${this.work}/${state.startsWith("applied+") ? "bad" : "ledger"}`;
  }

  /** Puts a state in place; throws `StateUnavailable` when a command it needs is not built. */
  async restore(state: string): Promise<void> {
    const known = this.#failed.get(state);
    if (known !== undefined) throw known;
    const snapshot = `${this.#snapshots}/${state}`;
    if (await exists(snapshot)) {
      removeTree(this.work);
      copyTree(snapshot, this.work);
      return;
    }
    try {
      const recipe = recipeOf(state);
      if (recipe.from === null) removeTree(this.work);
      else await this.restore(recipe.from);
      await recipe.build(this);
    } catch (error) {
      this.#failed.set(state, error as Error);
      throw error;
    }
    copyTree(this.work, snapshot);
  }

  /** Runs a command in the workspace as a case would. */
  async command(argv: readonly string[], cwd: string): Promise<Run> {
    return await run(this.program, argv, { cwd, env: { HOME: this.home, PATH: this.path } });
  }

  /** Runs a step of a state; throws when it is not built or fails. */
  async step(argv: readonly string[], cwd: string): Promise<void> {
    const words = argv.filter((word) => !word.startsWith("-"));
    if (!(await this.#isBuilt(words))) {
      throw new StateUnavailable(`\`${words.join(" ")}\` is not built`);
    }
    const { exit, stderr, stdout } = await this.command(argv, cwd);
    if (exit !== 0) {
      throw new Error(`\`theurian ${argv.join(" ")}\` gave exit ${exit}: ${stderr || stdout}`);
    }
  }

  /** Like `step`, but a command that is not built is left out (decision 45). */
  async stepIfBuilt(argv: readonly string[], cwd: string): Promise<void> {
    if (await this.#isBuilt(argv)) await this.step(argv, cwd);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function recipeOf(state: string): StateRecipe {
  const recipe = RECIPES[state];
  if (recipe !== undefined) return recipe;
  const [, word, stale] = SERVING_PROFILE.exec(state) ?? [];
  if (word === undefined) throw new Error(`No recipe for state ${state}`);
  return {
    from: "reviewed",
    build: async (workspace) => {
      await writeProfile(workspace.home, word === "invalid" ? "everything" : word);
      if (stale === undefined && word !== "invalid") {
        await workspace.step(["index", "build"], workspace.repositoryOf(state));
      }
    },
  };
}

/** Writes the serving profile with the modes that the program asks for. */
async function writeProfile(home: string, word: string): Promise<void> {
  const folder = `${home}/.theurian/auth`;
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  await Deno.chmod(folder, 0o700);
  await Deno.writeTextFile(`${folder}/serving-profile`, `${word}\n`, { mode: 0o600 });
}

async function applyOverlay(workspace: Workspace, root: string): Promise<void> {
  await workspace.step(["init"], root);
  await workspace.step(["project", "register"], root);
  copyTree(`${CORPUS}/overlay/.theurian`, `${root}/.theurian`);
  await commitAll(root, "Add the knowledge of the project");
  await workspace.step(["migrate", "apply"], root);
}

const indexed = (...flags: string[]): StateRecipe => ({
  from: "applied",
  build: (workspace) =>
    workspace.step(["index", "build", ...flags], workspace.repositoryOf("applied")),
});

const RECIPES: Readonly<Record<string, StateRecipe>> = {
  fresh: {
    from: null,
    build: async ({ work, home }) => {
      for (const folder of [home, `${home}2`, `${work}/not-a-repo`]) {
        Deno.mkdirSync(folder, { recursive: true });
      }
      writeText(`${work}/body.md`, DRAFT_BODY);
      await buildRecordedRepository(`${work}/ledger`);
      for (const copy of ["b/ledger", "probe/ledger", "import", "bad"]) {
        copyTree(`${work}/ledger`, `${work}/${copy}`);
      }
    },
  },
  none: { from: "fresh", build: () => Promise.resolve() },
  "sequence:init": { from: "fresh", build: () => Promise.resolve() },
  "sequence:migrate": {
    from: "fresh",
    build: async (workspace) => {
      const root = workspace.repositoryOf("sequence:migrate");
      await workspace.step(["init"], root);
      await workspace.step(["project", "register"], root);
      await workspace.step(["migrate", "apply"], root);
      copyTree(`${CORPUS}/overlay/.theurian`, `${root}/.theurian`);
    },
  },
  applied: {
    from: "fresh",
    build: (workspace) => applyOverlay(workspace, workspace.repositoryOf("applied")),
  },
  "applied-bad": {
    from: "fresh",
    build: (workspace) => applyOverlay(workspace, workspace.repositoryOf("applied+migration")),
  },
  indexed: indexed(),
  "indexed-raptor": indexed("--raptor"),
  "indexed-unapproved": indexed("--include-unapproved"),
  reviewed: {
    from: "indexed",
    build: async (workspace) => {
      const root = workspace.repositoryOf("reviewed");
      await workspace.stepIfBuilt(["findings", "build"], root);
      await workspace.stepIfBuilt(["review", "build"], root);
    },
  },
};
