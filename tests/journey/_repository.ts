/**
 * Git repositories with fixed bytes: the recorded history, and plain commits on top of it.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { CORPUS } from "./_cases.ts";

interface History {
  readonly author: string;
  readonly branch: string;
  readonly publicRef: string;
  readonly commits: readonly {
    readonly date: string;
    readonly message: string;
    readonly files: Readonly<Record<string, string>>;
  }[];
}

/** The id of the last recorded commit; another one means that a byte differs. */
export const LAST_COMMIT = "945414c02ae2330e295c8c339e6d238ea5c474f7";

const AUTHOR = /^(.*) <(.*)>$/;

function gitEnvironment(name: string, email: string, date: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: name,
    GIT_AUTHOR_EMAIL: email,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    GIT_COMMITTER_DATE: date,
  };
}

/** Runs git in a folder, hermetically; throws with git's own words when it fails. */
export async function git(
  cwd: string,
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = new Deno.Command("git", {
    args: [...args],
    cwd,
    clearEnv: true,
    env: options.env ??
      gitEnvironment("Ada Vale", "ada@example.org", "2026-04-01T09:00:00+00:00"),
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(options.stdin ?? ""));
  await writer.close();
  const { code, stdout, stderr } = await child.output();
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** Commits everything in a repository and answers with the commit. */
export async function commitAll(root: string, message: string): Promise<string> {
  await git(root, ["add", "--all"]);
  await git(root, ["commit", "--quiet", "--allow-empty", "--message", message]);
  return await git(root, ["rev-parse", "HEAD"]);
}

/** Writes the recorded history into an empty folder; throws when the last commit is another one. */
export async function buildRecordedRepository(root: string): Promise<void> {
  const history = JSON.parse(Deno.readTextFileSync(`${CORPUS}/base/commits.json`)) as History;
  const [, name = "", email = ""] = AUTHOR.exec(history.author) ?? [];
  Deno.mkdirSync(root, { recursive: true });
  await git(root, ["init", "--quiet", `--initial-branch=${history.branch}`]);
  for (const commit of history.commits) {
    for (const [path, text] of Object.entries(commit.files)) writeText(join(root, path), text);
    await git(root, ["add", "--all"]);
    await git(root, ["commit", "--quiet", "--cleanup=verbatim", "-F", "-"], {
      stdin: commit.message,
      env: gitEnvironment(name, email, commit.date),
    });
  }
  await git(root, ["update-ref", history.publicRef, "HEAD"]);
  const last = await git(root, ["rev-parse", "HEAD"]);
  if (last !== LAST_COMMIT) throw new Error(`The recorded history gave ${last}`);
}

/** Writes a text file and the folders above it. */
export function writeText(path: string, text: string): void {
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, text);
}

/** Copies a folder over another, keeping modes and times. */
export function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  const { code, stderr } = new Deno.Command("cp", { args: ["-a", `${from}/.`, to] }).outputSync();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
}

/** Removes a folder when it is there. */
export function removeTree(path: string): void {
  try {
    Deno.removeSync(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
