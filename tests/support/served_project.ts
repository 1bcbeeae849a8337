/**
 * A repository whose knowledge the real program applied, indexed and serves: commands and the daemon
 * are processes under the shipped permissions.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import { findProgram, type Program, type Run, run } from "../../scripts/program.ts";
import { type TemporaryRepository, temporaryRepository } from "./temporary_repository.ts";
import { type TestItem, writeMigration } from "./corpus.ts";

/** The program under test, found once. */
export const PROGRAM = findProgram();

/** Where commands find Git. */
export const SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Twelve pages of four levels of sensitivity; a quarter is not shown by default. */
export const PAGES: readonly TestItem[] = Array.from({ length: 12 }, (_, n) => ({
  itemId: `guide.page-${n}`,
  title: `Page ${n} on retries`,
  body: `# Page ${n}\n\nA retry of kind ${n} waits for the budget of lane${n}.\n`,
  metadata: { sensitivity: n % 4 === 3 ? "restricted" : "internal" },
}));

/** What a daemon is started with. */
export interface ServeOptions {
  readonly descriptors?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Something around the program. */
  readonly program?: Program;
}

/** A project that commands work in; a daemon only once it is asked for. */
export class ServedProject implements AsyncDisposable {
  readonly repository: TemporaryRepository;
  readonly home: string;
  readonly dataDirectory: string;
  #daemon: Daemon | null = null;

  constructor(name = "demo") {
    this.repository = temporaryRepository(name);
    this.home = join(this.repository.folder, "home");
    this.dataDirectory = join(this.home, ".theurian");
    Deno.mkdirSync(this.dataDirectory, { recursive: true, mode: 0o700 });
    Deno.chmodSync(this.dataDirectory, 0o700);
  }

  /** Applies, indexes and serves `pages`. */
  static async start(pages: readonly TestItem[] = PAGES): Promise<ServedProject> {
    const served = new ServedProject();
    try {
      writeMigration(served.repository, 1, pages);
      await served.publish();
      await served.expect("project", "register");
      await served.serve();
      return served;
    } catch (error) {
      await served[Symbol.asyncDispose]();
      throw error;
    }
  }

  get root(): string {
    return this.repository.root;
  }

  get environment(): Record<string, string> {
    return { HOME: this.home, PATH: SEARCH_PATH };
  }

  /** The daemon that serves. */
  get daemon(): Daemon {
    assert.ok(this.#daemon !== null, "no daemon was started");
    return this.#daemon;
  }

  /** Runs one command line. */
  command(...argv: string[]): Promise<Run> {
    return this.commandWith({}, ...argv);
  }

  /** Runs one command line in another directory. */
  commandIn(cwd: string, ...argv: string[]): Promise<Run> {
    return run(PROGRAM, argv, { cwd, env: this.environment, limitMs: 120_000 });
  }

  /** Runs one command line with more variables. */
  commandWith(env: Readonly<Record<string, string>>, ...argv: string[]): Promise<Run> {
    const options = { cwd: this.root, env: { ...env, ...this.environment }, limitMs: 120_000 };
    return run(PROGRAM, argv, options);
  }

  /** Runs one command line with `--json` that must succeed; answers its document. */
  // deno-lint-ignore no-explicit-any
  async expect(...argv: string[]): Promise<any> {
    const { exit, stdout, stderr } = await this.command(...argv, "--json");
    assert.equal(exit, 0, `${argv.join(" ")}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** Commits what was written, applies and indexes it. */
  async publish(): Promise<void> {
    this.repository.commit();
    await this.expect("migrate", "apply");
    await this.expect("index", "build", "--raptor");
  }

  /** Starts a daemon on a free port, with a limit of open files where one is given. */
  async serve(
    { descriptors, env = {}, program = PROGRAM }: ServeOptions = {},
  ): Promise<Daemon> {
    const options = { port: freePort(), cwd: this.root, home: this.home, path: SEARCH_PATH, env };
    this.#daemon = await Daemon.start(limited(program, descriptors), options);
    return this.#daemon;
  }

  /** Stops the daemon; answers what it logged. */
  async stop(): Promise<{ code: number; stderr: string }> {
    const { daemon } = this;
    this.#daemon = null;
    return await daemon.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#daemon?.stop();
    this.repository[Symbol.dispose]();
  }
}

function limited(program: Program, descriptors: number | undefined): Program {
  if (descriptors === undefined) return program;
  const script = `ulimit -n ${descriptors}; exec "$0" "$@"`;
  return {
    ...program,
    command: "/bin/sh",
    prefix: ["-c", script, program.command, ...program.prefix],
  };
}
