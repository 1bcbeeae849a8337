/**
 * Reads the golden review fixtures and builds their stores on disk: a history with one commit per
 * row, the evidence of the search queries, one tampered tree (golden-review/README.md).
 *
 * @module
 */

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { dirname, join, normalize } from "node:path";

const FIXTURES = new URL("../fixtures/", import.meta.url).pathname;

/** Path of a file below `golden-review/`. */
export function goldenReviewPath(relative: string): string {
  return join(FIXTURES, "golden-review", relative);
}

/** Path of a file below `tests/fixtures/`. */
export function fixturePath(relative: string): string {
  return join(FIXTURES, relative);
}

/** Rows of a JSON lines file, split on LF only. */
export function goldenRows<Row>(relative: string): Row[] {
  return Deno.readTextFileSync(goldenReviewPath(relative)).split("\n")
    .filter((line) => line !== "").map((line) => JSON.parse(line) as Row);
}

/** One row of `trailers.jsonl`. */
export interface TrailerRow {
  readonly id: string;
  readonly message?: string;
  readonly messageHex?: string;
  readonly committer: string;
  readonly gitDate: string;
  readonly sha: string;
  readonly expect: {
    readonly committedAt: string | null;
    readonly findings: readonly {
      readonly position: number;
      readonly reviewer: string;
      readonly severity: string;
      readonly text: string;
    }[];
    readonly rejected: readonly {
      readonly position: number;
      readonly class: string;
      readonly rawLine: string;
    }[];
  };
}

/** Bytes of a row's commit message. */
export function messageBytes(row: TrailerRow): Uint8Array {
  return row.messageHex === undefined
    ? new TextEncoder().encode(row.message)
    : Uint8Array.from(row.messageHex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** Writes a loose object and returns its id. */
export function writeLooseObject(
  gitDirectory: string,
  kind: string,
  body: Uint8Array,
  algorithm: "sha1" | "sha256" = "sha1",
): string {
  const data = concat(new TextEncoder().encode(`${kind} ${body.length}\0`), body);
  const id = createHash(algorithm).update(data).digest("hex");
  const path = join(gitDirectory, "objects", id.slice(0, 2), id.slice(2));
  Deno.mkdirSync(dirname(path), { recursive: true });
  Deno.writeFileSync(path, deflateSync(data));
  return id;
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Runs git for a test and returns its standard output. */
export function git(cwd: string, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command("git", {
    args,
    cwd,
    env: {
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      GIT_AUTHOR_NAME: "Rae Viewer",
      GIT_AUTHOR_EMAIL: "rae@example.test",
      GIT_COMMITTER_NAME: "Rae Viewer",
      GIT_COMMITTER_EMAIL: "rae@example.test",
    },
  }).outputSync();
  if (code !== 0) throw new Error(`git ${args[0]}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** A linear history in file order below `destination`; returns the commit ids. */
export function writeHistory(destination: string, rows: readonly TrailerRow[]): string[] {
  Deno.mkdirSync(destination, { recursive: true });
  git(destination, "init", "-q", "--object-format=sha1", "-b", "main", ".");
  const gitDirectory = join(destination, ".git");
  const tree = writeLooseObject(gitDirectory, "tree", new Uint8Array());
  const ids: string[] = [];
  for (const row of rows) {
    const who = `Rae Viewer <rae@example.test> ${row.committer}\n`;
    const parent = ids.length === 0 ? "" : `parent ${ids.at(-1)}\n`;
    const head = `tree ${tree}\n${parent}author ${who}committer ${who}\n`;
    const body = concat(new TextEncoder().encode(head), messageBytes(row));
    ids.push(writeLooseObject(gitDirectory, "commit", body));
  }
  for (const ref of ["refs/remotes/origin/main", "refs/heads/main"]) {
    Deno.mkdirSync(dirname(join(gitDirectory, ref)), { recursive: true });
    Deno.writeTextFileSync(join(gitDirectory, ref), ids.at(-1) + "\n");
  }
  return ids;
}

/** `{"$repeat": [text, n]}` stands for the text n times. */
function expandRepeats(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandRepeats);
  if (value === null || typeof value !== "object") return value;
  const repeat = (value as { $repeat?: [string, number] }).$repeat;
  if (repeat !== undefined) return repeat[0].repeat(repeat[1]);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, expandRepeats(inner)]),
  );
}

/** Puts the records of `stores/evidence.jsonl` under `<root>/.theurian/review/`. */
export function writeGoldenEvidence(root: string): void {
  const text = Deno.readTextFileSync(goldenReviewPath("stores/evidence.jsonl"));
  for (const line of text.split("\n")) {
    if (line === "") continue;
    // Numbers beyond double precision are re-printed exactly.
    const row = JSON.parse(
      line,
      ((_key: string, value: unknown, context: { source?: string }) =>
        typeof value === "number" && !Number.isSafeInteger(value) && context.source
          ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(context.source)
          : value) as (key: string, value: unknown) => unknown,
    ) as { path: string; document: unknown };
    const document = JSON.stringify(expandKeepingRaw(row.document), null, 2) + "\n";
    putNode(root, { path: row.path, text: document });
  }
}

function expandKeepingRaw(value: unknown): unknown {
  if (value !== null && typeof value === "object" && "rawJSON" in value) return value;
  if (Array.isArray(value)) return value.map(expandKeepingRaw);
  if (value === null || typeof value !== "object") return value;
  if ("$repeat" in value) return expandRepeats(value);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, expandKeepingRaw(inner)]),
  );
}

/** One thing to put on disk. */
export interface TreeNode {
  readonly path: string;
  readonly text?: string;
  readonly hex?: string;
  readonly parts?: readonly (readonly [string, number])[];
  readonly link?: string;
  readonly directory?: boolean;
  readonly pipe?: boolean;
}

/** Puts a node below `<root>/.theurian/review/`. */
export function putNode(root: string, node: TreeNode): void {
  const path = normalize(join(root, ".theurian/review", node.path));
  Deno.mkdirSync(dirname(path), { recursive: true });
  if (node.link !== undefined) return Deno.symlinkSync(node.link, path);
  if (node.directory) return Deno.mkdirSync(path);
  if (node.pipe) {
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    return;
  }
  if (node.hex !== undefined) {
    const bytes = Uint8Array.from(node.hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
    return Deno.writeFileSync(path, bytes);
  }
  const text = node.parts === undefined
    ? node.text!
    : node.parts.map(([part, count]) => part.repeat(count)).join("");
  Deno.writeTextFileSync(path, text);
}

/** The good record that stands beside every tampered one. */
export function putCompanion(root: string): void {
  putNode(root, JSON.parse(Deno.readTextFileSync(goldenReviewPath("stores/companion.json"))));
}
