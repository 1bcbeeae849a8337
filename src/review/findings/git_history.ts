/**
 * Asking git for the public history (review.md 2): one fixed ref, no configuration, replacement,
 * graft or variable that could put another history in its place.
 *
 * @module
 */

import { TheurianError } from "../../platform/errors.ts";
import { isFault } from "../../platform/errors.ts";
import { QUIET_SETTINGS } from "../../platform/git.ts";
import { type ProcessResult, PROGRAM_NOT_FOUND, runProcess } from "../../platform/process.ts";
import { splitRecords } from "./history.ts";
import type { CommitRecord } from "./history.ts";

/** The only history that is read; fully spelled, so that no branch or tag can shadow it. */
export const PUBLIC_REF = "refs/remotes/origin/main";

const TIMEOUT_MS = 30_000;
/** Most bytes of history that are taken. */
const HISTORY_BYTES = 512 * 1024 * 1024;

const VARIABLES: Readonly<Record<string, string>> = {
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A grafts file in the repository would hide commits; this one is empty.
  GIT_GRAFT_FILE: Deno.build.os === "windows" ? "NUL" : "/dev/null",
};

/** The commits reachable from the public ref. */
export interface PublicHistory {
  readonly records: readonly CommitRecord[];
  /** The clone is shallow: findings of commits it does not hold are missing. */
  readonly shallow: boolean;
}

/** Reads the public history of the working tree at `root`. Throws with exit 1. */
export async function readPublicHistory(root: string): Promise<PublicHistory> {
  const known = await git(root, [
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${PUBLIC_REF}^{commit}`,
  ]);
  if (known.code !== 0) throw missingRef();
  const shallow = await git(root, ["rev-parse", "--is-shallow-repository"]);
  const log = await git(root, [
    "log",
    "-z",
    "--encoding=UTF-8",
    "--format=format:%H%x00%cI%x00%B",
    PUBLIC_REF,
    "--",
  ]);
  if (log.code !== 0) throw unreadableHistory();
  return {
    records: splitRecords(log.stdout),
    shallow: new TextDecoder().decode(shallow.stdout).trim() === "true",
  };
}

async function git(root: string, args: readonly string[]): Promise<ProcessResult> {
  let result: ProcessResult;
  try {
    result = await runProcess({
      program: "git",
      args: [
        ...QUIET_SETTINGS,
        "--no-pager",
        "--no-optional-locks",
        "--no-replace-objects",
        ...args,
      ],
      cwd: root,
      env: VARIABLES,
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: HISTORY_BYTES,
    });
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new TheurianError(error.fault, `Cannot read the history: ${lowerFirst(error.message)}`, {
      remedy: "Check that `git log refs/remotes/origin/main` ends in the project, then run " +
        "`theurian findings build` again",
      exit: 1,
      cause: error,
    });
  }
  if (result.code === PROGRAM_NOT_FOUND) {
    throw new TheurianError("process-failed", "Cannot read the history: git was not found", {
      remedy: "Install Git so that `git --version` answers, then run `theurian findings build`",
      exit: 1,
    });
  }
  return result;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function missingRef(): TheurianError {
  return new TheurianError(
    "process-failed",
    `Cannot read the history: ${PUBLIC_REF} is not in this repository`,
    {
      remedy: "Fetch it with `git fetch origin main` (findings are read from the public main " +
        "branch alone), then run `theurian findings build` again",
      exit: 1,
    },
  );
}

function unreadableHistory(): TheurianError {
  return new TheurianError(
    "process-failed",
    `Cannot read the history of ${PUBLIC_REF}: git ended with an error`,
    {
      remedy: "Check the repository with `git fsck`, then run `theurian findings build` again",
      exit: 1,
    },
  );
}
