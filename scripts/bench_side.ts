/**
 * One of the programs that are compared, with a home, a data directory and a project of its own.
 *
 * @module
 */

import { type BenchCorpus } from "./bench_corpus.ts";
import { childProcessorMs } from "./bench_processor.ts";
import type { Samples, SideName } from "./bench_samples.ts";
import { type Program, run, spawn } from "./program.ts";

/** How long any one command may take, in milliseconds. */
const LIMIT_MS = 1_800_000;

/** A program under measurement. */
export class Side {
  readonly name: SideName;
  readonly program: Program;
  readonly root: string;
  readonly home: string;
  readonly #env: Readonly<Record<string, string>>;
  #processorMs = 0;

  constructor(name: SideName, program: Program, work: string) {
    this.name = name;
    this.program = program;
    this.root = `${work}/${name}/bench`;
    this.home = `${work}/${name}/home`;
    const path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
    this.#env = { HOME: this.home, PATH: path, THEURIAN_DATA_DIR: this.dataDirectory };
  }

  get dataDirectory(): string {
    return `${this.home}/.theurian`;
  }

  get state(): string {
    return `${this.root}/.theurian/state`;
  }

  /** Writes the corpus into an empty repository and commits it. */
  async create(write: (root: string) => Promise<void>): Promise<void> {
    await Deno.mkdir(this.root, { recursive: true });
    await Deno.mkdir(this.home, { recursive: true });
    await write(this.root);
    await this.#git("init", "--quiet", "--initial-branch=main");
    await this.commit("Begin");
    await this.register();
  }

  /** Commits whatever the project holds. */
  async commit(message: string): Promise<void> {
    await this.#git("add", "--all");
    await this.#git("commit", "--quiet", "--allow-empty", "--message", message);
  }

  /** Makes the project known to the program. */
  async register(): Promise<void> {
    await this.command("init");
    await this.command("project", "register", "--project-id", "bench");
  }

  /** Forgets everything that was derived, as on a fresh clone and machine. */
  async forget(): Promise<void> {
    for (const path of [this.state, `${this.root}/.theurian/cache`, this.dataDirectory]) {
      await Deno.remove(path, { recursive: true }).catch(unlessAbsent);
    }
    await this.register();
  }

  /** Removes every index, so that the next build starts from nothing. */
  forgetIndexes(): void {
    for (const { name } of [...Deno.readDirSync(this.state)]) {
      const isIndex = /^(theurian-index-|active-index|index-secret-scan)/.test(name);
      if (isIndex) Deno.removeSync(`${this.state}/${name}`);
    }
  }

  /** Bytes of the published index. */
  indexBytes(): number {
    const pointer = JSON.parse(Deno.readTextFileSync(`${this.state}/active-index.json`));
    return Deno.statSync(`${this.state}/theurian-index-${pointer.indexBuildId}.sqlite`).size;
  }

  /** Runs a command; answers its document. Throws when it does not exit with 0. */
  async command(...argv: string[]): Promise<Record<string, unknown>> {
    const { exit, stdout, stderr } = await run(this.program, [...argv, "--json"], {
      cwd: this.root,
      env: this.#env,
      limitMs: LIMIT_MS,
    });
    if (exit !== 0) {
      throw new Error(
        `${this.name}: \`${argv.join(" ")}\` ended with ${exit}: ${stderr || stdout}`,
      );
    }
    return JSON.parse(stdout);
  }

  /** Milliseconds that a command takes from its start to its end. */
  async time(...argv: string[]): Promise<number> {
    const worked = childProcessorMs();
    const begun = performance.now();
    await this.command(...argv);
    const elapsed = performance.now() - begun;
    this.#processorMs += childProcessorMs() - worked;
    return elapsed;
  }

  /** Processor time of the timed commands since the last call, in milliseconds. */
  takeProcessorMs(): number {
    const taken = this.#processorMs;
    this.#processorMs = 0;
    return taken;
  }

  /** Starts a command that stays. */
  start(...argv: string[]): Deno.ChildProcess {
    return spawn(this.program, argv, { cwd: this.root, env: this.#env });
  }

  async #git(...args: string[]): Promise<void> {
    const identity = ["-c", "user.name=Bench", "-c", "user.email=bench@example.org"];
    const { code, stderr } = await new Deno.Command("git", {
      args: [...identity, "-c", "commit.gpgsign=false", ...args],
      cwd: this.root,
      stdin: "null",
    }).output();
    if (code !== 0) throw new Error(`git ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
  }
}

/** What every part of a run works on. */
export interface Bench {
  readonly sides: readonly Side[];
  readonly corpus: BenchCorpus;
  /** Repetitions of a heavy command; light ones are repeated more often. */
  readonly rounds: number;
  readonly tell: (what: string) => void;
}

/** Takes a measurement of each side in every round; who comes first changes from round to round. */
export async function interleaved(
  sides: readonly Side[],
  rounds: number,
  take: (side: Side, round: number) => Promise<number> | number,
): Promise<Samples> {
  const values = { ours: [] as number[], peer: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? sides : sides.toReversed();
    for (const side of order) values[side.name].push(await take(side, round));
  }
  return values;
}

/** Processor time of one repetition for each side, of what was timed since the last call. */
export function processorOf(
  sides: readonly Side[],
  repetitions: number,
): Readonly<Record<SideName, number>> {
  const of = { ours: 0, peer: 0 };
  for (const side of sides) of[side.name] = side.takeProcessorMs() / repetitions;
  return of;
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}
