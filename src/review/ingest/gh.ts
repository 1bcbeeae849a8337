/**
 * Running `gh`, the only way to the network (review.md 5, "The child process"). It gets a fixed
 * environment: no token variable, host, proxy or loader variable of ours reaches it.
 *
 * @module
 */

import { isFault } from "../../platform/errors.ts";
import { type ProcessResult, runProcess } from "../../platform/process.ts";
import { resolveProgram } from "../../platform/resolve_program.ts";
import type { CallResult } from "./answer.ts";
import type { PageVariables } from "./fetch.ts";
import { requireVersion } from "./gh_version.ts";
import { GradedRefusal } from "./grades.ts";
import type { GhEnvironment } from "./transport_guard.ts";

const HOST = ["--hostname", "github.com"] as const;
const TIMEOUT_MS = 30_000;
/** Most bytes of one answer, and of a probe. */
const ANSWER_BYTES = 8_388_608;
const PROBE_BYTES = 64 * 1024;

const FIXED_VARIABLES = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  GH_NO_EXTENSION_UPDATE_NOTIFIER: "1",
  GH_NO_UPDATE_NOTIFIER: "1",
  GH_PROMPT_DISABLED: "1",
  NO_COLOR: "1",
} as const;

/** The whole environment of `gh`. */
export function ghVariables(environment: GhEnvironment): Record<string, string> {
  const { ghConfigDirectory, xdgConfigHome, home } = environment;
  return {
    ...FIXED_VARIABLES,
    ...(ghConfigDirectory === null ? {} : { GH_CONFIG_DIR: ghConfigDirectory }),
    ...(home === null ? {} : { HOME: home }),
    ...(xdgConfigHome === null ? {} : { XDG_CONFIG_HOME: xdgConfigHome }),
  };
}

/** A `gh` that was found and answers. */
export class Gh {
  private constructor(
    private readonly path: string,
    private readonly cwd: string,
    private readonly variables: Record<string, string>,
  ) {}

  /** Finds `gh`, checks its version and that someone is signed in. Throws {@linkcode GradedRefusal}. */
  static async open(cwd: string, environment: GhEnvironment): Promise<Gh> {
    const path = resolveProgram("gh");
    if (path === null) {
      throw new GradedRefusal("tool-missing", "Cannot fetch reviews: gh was not found on PATH");
    }
    const gh = new Gh(path, cwd, ghVariables(environment));
    const version = await gh.#probe(["--version"]);
    if (version.code !== 0) {
      throw new GradedRefusal("tool-too-old", "Cannot use gh: it does not tell its version");
    }
    requireVersion(new TextDecoder().decode(version.stdout));
    const status = await gh.#probe(["auth", "status", ...HOST]);
    if (status.code !== 0) {
      throw new GradedRefusal(
        "tool-unauthenticated",
        "Cannot fetch reviews: gh is not signed in to github.com",
      );
    }
    return gh;
  }

  /** Asks one GraphQL document. Throws {@linkcode GradedRefusal} when there is no whole answer. */
  async ask(query: string, repository: string, variables: PageVariables): Promise<CallResult> {
    // What it prints beside the answer is for people at a terminal; it is read and dropped.
    const { code, stdout } = await this.#run(
      ["api", "graphql", ...HOST, "-f", `query=${query}`, ...pairs(repository, variables)],
      ANSWER_BYTES,
      "limit-exceeded",
    );
    return { code, stdout };
  }

  #probe(args: readonly string[]): Promise<ProcessResult> {
    return this.#run(args, PROBE_BYTES, "tool-failed");
  }

  async #run(
    args: readonly string[],
    maxOutputBytes: number,
    tooMuch: "limit-exceeded" | "tool-failed",
  ): Promise<ProcessResult> {
    try {
      return await runProcess({
        program: this.path,
        args,
        cwd: this.cwd,
        env: this.variables,
        onlyEnv: true,
        timeoutMs: TIMEOUT_MS,
        maxOutputBytes,
      });
    } catch (error) {
      if (isFault(error, "process-output")) {
        throw new GradedRefusal(
          tooMuch,
          `Cannot use gh: it printed more than ${maxOutputBytes} bytes`,
        );
      }
      if (isFault(error, "process-timeout")) {
        throw new GradedRefusal(
          "tool-failed",
          `Cannot use gh: it did not end within ${TIMEOUT_MS / 1000} seconds`,
        );
      }
      if (isFault(error, "process-failed")) {
        throw new GradedRefusal("tool-failed", "Cannot use gh: it cannot be started");
      }
      throw error;
    }
  }
}

/**
 * Variables in name order. A text goes through `-f` always: `-F` would read a file for one that
 * starts with `@`.
 */
function pairs(repository: string, { first, after, number }: PageVariables): string[] {
  const slash = repository.indexOf("/");
  return [
    ...(after === undefined ? [] : ["-f", `after=${after}`]),
    "-F",
    `first=${first}`,
    "-f",
    `name=${repository.slice(slash + 1)}`,
    ...(number === undefined ? [] : ["-F", `number=${number}`]),
    "-f",
    `owner=${repository.slice(0, slash)}`,
  ];
}
