/**
 * Fixed questions to `git`: constant argument vectors, no network, five seconds each
 * (corpus-and-migrations.md 1, 14.7). An answer that Git does not give is `null` or empty; only a
 * limit that is exceeded throws (`process-timeout`, `process-output`).
 *
 * @module
 */

import { createHash } from "node:crypto";
import { decodeUtf8 } from "./files/mod.ts";
import { runProcess } from "./process.ts";

/** Milliseconds one question may take (corpus-and-migrations.md 1). */
export const GIT_TIMEOUT_MS = 5000;

/** No prompt, no lock taken for a mere look, no object or remote ever fetched. */
const VARIABLES = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
} as const;

/**
 * Settings of the repository that would start a program at a mere look, switched off. What remains
 * is a clean filter, which {@linkcode gitHashObject} has to honour.
 */
export const QUIET_SETTINGS: readonly string[] = [
  "core.fsmonitor=false",
  `core.hooksPath=${Deno.build.os === "windows" ? "NUL" : "/dev/null"}`,
  "log.showSignature=false",
].flatMap((setting) => ["-c", setting]);

const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** An entry of a tree. */
export interface TreeObject {
  /** 40 or 64 lower-case hex digits. */
  readonly objectId: string;
  /** Six octal digits: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
}

/** Root of the working tree that holds a directory; `null` outside of one. */
export function gitTopLevel(cwd: string): Promise<string | null> {
  return line(cwd, ["rev-parse", "--show-toplevel"]);
}

/** The commit that is checked out; `null` before the first one. */
export function gitHeadCommit(root: string): Promise<string | null> {
  return objectId(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
}

/** Address of the remote `origin` as configured; `null` without one. It may hold credentials. */
export function gitOriginUrl(root: string): Promise<string | null> {
  return line(root, ["remote", "get-url", "origin"]);
}

/** Short name of the branch that is checked out, also before its first commit; `null` when detached. */
export function gitBranch(root: string): Promise<string | null> {
  return line(root, ["symbolic-ref", "--quiet", "--short", "HEAD"]);
}

/** The configured author; a part that is not set is `null`. */
export async function gitUser(
  root: string,
): Promise<{ readonly name: string | null; readonly email: string | null }> {
  const text = await answer(root, ["config", "-z", "--get-regexp", "^user\\.(name|email)$"]);
  const found = new Map<string, string>();
  for (const entry of (text ?? "").split("\0")) {
    const end = entry.indexOf("\n");
    if (end !== -1) found.set(entry.slice(0, end), entry.slice(end + 1)); // The last one counts.
  }
  return { name: found.get("user.name") || null, email: found.get("user.email") || null };
}

/**
 * What the commit at HEAD holds below a directory, by path from the root with `/`. Empty without a
 * commit, and where the directory is absent there, a file or behind a link. A name that is no UTF-8
 * comes with replacement characters, and keeps no other from being listed.
 */
export async function gitTreeObjects(
  root: string,
  directory: string,
): Promise<ReadonlyMap<string, TreeObject>> {
  const objects = new Map<string, TreeObject>();
  const args = ["ls-tree", "-r", "-z", "--full-tree", `HEAD:${directory}`];
  const listing = LENIENT.decode(await answerBytes(root, args) ?? new Uint8Array());
  const prefix = directory === "" ? "" : `${directory}/`;
  for (const [path, object] of treeEntries(listing)) objects.set(prefix + path, object);
  return objects;
}

/**
 * What the commit at HEAD holds at exactly these paths (from the root, with `/`); a path that it does
 * not hold is left out.
 */
export async function gitFilesAtHead(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, TreeObject>> {
  const objects = new Map<string, TreeObject>();
  for (const some of batches(paths)) {
    const listing = await answer(root, ["ls-tree", "-z", "--full-tree", "HEAD", "--", ...some]);
    for (const [path, object] of treeEntries(listing)) objects.set(path, object);
  }
  return objects;
}

/** Those of the given paths that Git is told to ignore and does not track. */
export async function gitIgnoredFiles(
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "-z", "--"];
  for (const some of batches(paths)) {
    const listing = await answer(root, [...args, ...some]);
    for (const path of (listing ?? "").split("\0")) if (path !== "") ignored.add(path);
  }
  return ignored;
}

const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Paths for one argument vector each, well below every system's limit. */
function batches(paths: readonly string[]): readonly (readonly string[])[] {
  const parts: string[][] = [];
  for (let i = 0; i < paths.length; i += 200) parts.push(paths.slice(i, i + 200));
  return parts;
}

function* treeEntries(listing: string | null): Generator<[string, TreeObject]> {
  for (const entry of (listing ?? "").split("\0")) {
    const match = /^([0-7]{6}) \w+ ([0-9a-f]+)\t([^]+)$/.exec(entry);
    if (match !== null) yield [match[3]!, { objectId: match[2]!, mode: match[1]! }];
  }
}

/**
 * Object id that Git would store for these bytes at a path, its filters and line-end rules applied;
 * nothing is stored. `null` when Git gives none.
 */
export function gitHashObject(
  root: string,
  posixPath: string,
  bytes: Uint8Array,
): Promise<string | null> {
  return objectId(root, ["hash-object", "--stdin", `--path=${posixPath}`], bytes);
}

/**
 * Object id of a blob with exactly these bytes, computed here, with the hash that `objectIdLike`
 * uses (SHA-1 or SHA-256). Equal to the id at HEAD it proves the bytes are the committed ones; a
 * different one needs {@linkcode gitHashObject}, since filters may stand between.
 */
export function gitBlobId(bytes: Uint8Array, objectIdLike: string): string {
  return createHash(objectIdLike.length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

async function objectId(
  root: string,
  args: readonly string[],
  stdin?: Uint8Array,
): Promise<string | null> {
  const text = await line(root, args, stdin);
  return text !== null && OBJECT_ID.test(text) ? text : null;
}

/** One line of output without its end; `null` when Git fails or says nothing. */
async function line(
  cwd: string,
  args: readonly string[],
  stdin?: Uint8Array,
): Promise<string | null> {
  const text = await answer(cwd, args, stdin);
  return text === null ? null : text.replace(/\r?\n$/, "") || null;
}

async function answer(
  cwd: string,
  args: readonly string[],
  stdin?: Uint8Array,
): Promise<string | null> {
  const bytes = await answerBytes(cwd, args, stdin);
  return bytes === null ? null : decodeUtf8(bytes);
}

async function answerBytes(
  cwd: string,
  args: readonly string[],
  stdin?: Uint8Array,
): Promise<Uint8Array | null> {
  const { code, stdout } = await runProcess({
    program: "git",
    args: [...QUIET_SETTINGS, "--no-pager", "--literal-pathspecs", ...args],
    cwd,
    env: VARIABLES,
    timeoutMs: GIT_TIMEOUT_MS,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return code === 0 ? stdout : null;
}
