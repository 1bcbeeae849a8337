/**
 * Whether one commit touched one path, answered from the repository's files without starting a
 * program (daemon-and-setup.md 11.3, proposals.md 4.4).
 *
 * @module
 */

import { isFault } from "../errors.ts";
import { ANSWER_MS, deadlineIn, TAG_HOPS, Unreadable } from "./_limits.ts";
import { ObjectStore } from "./_object_store.ts";
import { compareBytes } from "./_pack_index.ts";
import { locateObjects } from "./_repository.ts";

const TREE_MODE = "40000";

/**
 * True when the commit named by the full hex id `commit` exists in the working tree's repository and
 * its difference to its first parent (of a root commit: to nothing) lists exactly `path`, as bytes.
 * A tag is followed to its commit. False for everything that cannot be verified: an unknown commit,
 * an untouched path, a missing parent of a shallow clone, a damaged repository, a bound that was
 * met. Replacement refs are not honoured.
 */
export function commitTouchesPath(
  root: string,
  commit: string,
  path: string,
  options: { readonly now?: () => number; readonly limitMs?: number } = {},
): boolean {
  const now = options.now ?? (() => performance.now());
  try {
    const repository = locateObjects(root);
    if (commit.length !== (repository.format === "sha256" ? 64 : 40)) return false;
    using store = new ObjectStore(repository, deadlineIn(options.limitMs ?? ANSWER_MS, now));
    const { tree, parent } = readCommit(store, commit);
    const names = path.split("/").map((name) => new TextEncoder().encode(name));
    const before = parent === null ? null : fileAt(store, readCommit(store, parent).tree, names);
    return before !== fileAt(store, tree, names);
  } catch (error) {
    if (error instanceof Unreadable || isFault(error)) return false;
    throw error;
  }
}

/** Tree and first parent of a commit; a tag leads to its commit. */
function readCommit(store: ObjectStore, id: string): { tree: string; parent: string | null } {
  for (let hops = 0, next = id; hops <= TAG_HOPS; hops++) {
    const { kind, content } = store.read(next);
    const headers = headersOf(content);
    if (kind === "commit") {
      const tree = headers.get("tree");
      if (tree === undefined) break;
      return { tree, parent: headers.get("parent") ?? null };
    }
    const target = kind === "tag" ? headers.get("object") : undefined;
    if (target === undefined) break;
    next = target;
  }
  throw new Unreadable("Not a commit");
}

/** The first value of each header line; continuation lines belong to none of those that are read. */
function headersOf(content: Uint8Array): Map<string, string> {
  const headers = new Map<string, string>();
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf(0x0a, start);
    const end = newline < 0 ? content.length : newline;
    if (end === start) break;
    const line = new TextDecoder("latin1").decode(
      content.subarray(start, Math.min(end, start + 80)),
    );
    const match = /^(tree|parent|object) ([0-9a-f]{40}|[0-9a-f]{64})$/.exec(line);
    if (match !== null && !headers.has(match[1]!)) headers.set(match[1]!, match[2]!);
    start = end + 1;
  }
  return headers;
}

/** Mode and id of the file at a path below a tree, as one text; `null` when no file is there. */
function fileAt(store: ObjectStore, tree: string, names: readonly Uint8Array[]): string | null {
  let current = tree;
  for (const [index, name] of names.entries()) {
    const { kind, content } = store.read(current);
    if (kind !== "tree") throw new Unreadable("Not a tree");
    const entry = findEntry(content, name, store.idBytes);
    if (entry === null) return null;
    const isLast = index === names.length - 1;
    if (isLast) return entry.mode === TREE_MODE ? null : `${entry.mode} ${entry.id}`;
    if (entry.mode !== TREE_MODE) return null;
    current = entry.id;
  }
  return null;
}

function findEntry(
  tree: Uint8Array,
  name: Uint8Array,
  idBytes: number,
): { mode: string; id: string } | null {
  for (let start = 0; start < tree.length;) {
    const space = tree.indexOf(0x20, start);
    const nul = space < 0 ? -1 : tree.indexOf(0, space);
    const end = nul + 1 + idBytes;
    if (nul < 0 || end > tree.length) throw new Unreadable("A tree is damaged");
    if (compareBytes(tree.subarray(space + 1, nul), name) === 0) {
      const mode = String.fromCharCode(...tree.subarray(start, Math.min(space, start + 8)));
      const id = Array.from(
        tree.subarray(nul + 1, end),
        (byte) => byte.toString(16).padStart(2, "0"),
      ).join("");
      return { mode: mode.replace(/^0+/, ""), id };
    }
    start = end;
  }
  return null;
}
