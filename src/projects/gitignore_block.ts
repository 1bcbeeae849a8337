/**
 * The managed block in `.gitignore` that keeps derived files out of Git (corpus-and-migrations.md
 * 5.1). Works on bytes: everything outside the block survives, whatever its encoding or line ends.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { describePath, readRegularFile, replaceFile } from "../platform/files/mod.ts";

const START = "# >>> theurian >>>";
const END = "# <<< theurian <<<";

/** The block, without a final line feed. */
export const GITIGNORE_BLOCK = [
  START,
  "# Derived artifacts. Rebuilt from Git-tracked migrations (ADR-0004).",
  ".theurian/state/",
  ".theurian/cache/",
  ".theurian/runtime/",
  ".theurian/generated/",
  "*.sqlite",
  "*.sqlite-wal",
  "*.sqlite-shm",
  "# Authored, kept out of Git on purpose. Nothing rebuilds it (ADR-0028).",
  ".theurian/proposals-local/",
  END,
].join("\n");

/** What stands in a `.gitignore`. */
export type GitignoreState =
  /** The block as it should be. */
  | "current"
  /** A block that differs. */
  | "outdated"
  /** No file, or no block in it. */
  | "missing"
  /** Two start markers, or one without an end. */
  | "malformed"
  /** The file is a symbolic link. */
  | "link"
  /** The file is a directory, a pipe or another special file. */
  | "irregular";

/** Looks at the `.gitignore` of a working tree; changes nothing. */
export function inspectGitignore(root: string): GitignoreState {
  return look(root).state;
}

/**
 * Inserts or refreshes the block; true when the file was written. Throws `gitignore-refused` for a
 * link, an irregular file or malformed markers, and leaves them as they are.
 */
export function updateGitignore(root: string): boolean {
  const { state, text, mode } = look(root);
  switch (state) {
    case "current":
      return false;
    case "link":
      throw refused(
        "it is a symbolic link",
        "Add the block by hand to the file it leads to, or keep ignore rules in a regular file; " +
          "see docs/cli.md for the block",
      );
    case "irregular":
      throw refused("it is not a regular file", "Put a regular file in its place");
    case "malformed":
      throw refused(
        "it holds two start markers, or one without its end marker",
        `Edit .gitignore so that one block stands between "${START}" and "${END}"`,
      );
  }
  const changed = state === "outdated" ? replaceBlock(text) : appendBlock(text);
  replaceFile(join(root, ".gitignore"), Buffer.from(changed, "latin1"), {
    mode: mode ?? 0o644,
    exactMode: mode !== null,
    label: ".gitignore",
  });
  return true;
}

interface Look {
  readonly state: GitignoreState;
  /** One character a byte. */
  readonly text: string;
  readonly mode: number | null;
}

function look(root: string): Look {
  const path = join(root, ".gitignore");
  const facts = describePath(path, { label: ".gitignore" });
  if (facts === null) return { state: "missing", text: "", mode: null };
  if (facts.kind === "link") return { state: "link", text: "", mode: null };
  if (facts.kind !== "file") return { state: "irregular", text: "", mode: null };
  const text = Buffer.from(readRegularFile(path, { label: ".gitignore" })).toString("latin1");
  const span = blockSpan(text);
  const state = span === null
    ? "missing"
    : span === "malformed"
    ? "malformed"
    : text.slice(span.from, span.to) === GITIGNORE_BLOCK
    ? "current"
    : "outdated";
  return { state, text, mode: facts.mode };
}

/** From the first character of the start marker to behind the last of the end marker. */
function blockSpan(text: string): { from: number; to: number } | "malformed" | null {
  let from = -1;
  let to = -1;
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end === -1 ? text.length : end).replace(/\r+$/, "");
    if (line === START) {
      if (from !== -1) return "malformed";
      from = at;
    } else if (line === END && from !== -1 && to === -1) to = at + END.length;
    if (end === -1) break;
    at = end + 1;
  }
  if (from === -1) return null;
  return to === -1 ? "malformed" : { from, to };
}

function replaceBlock(text: string): string {
  const { from, to } = blockSpan(text) as { from: number; to: number };
  return text.slice(0, from) + GITIGNORE_BLOCK + text.slice(to);
}

function appendBlock(text: string): string {
  if (text === "") return `${GITIGNORE_BLOCK}\n`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${GITIGNORE_BLOCK}\n`;
}

function refused(reason: string, remedy: string): TheurianError {
  return new TheurianError("gitignore-refused", `Cannot update .gitignore: ${reason}`, { remedy });
}
