/**
 * A structured document as searchable lines: one `path.to.key: value` a scalar
 * (corpus-and-migrations.md section 16). The bounds hold for the walk itself, so that a small file
 * whose aliases unfold into millions of nodes costs no more than they allow.
 *
 * @module
 */

import { codePointLength } from "../platform/text.ts";

const DEPTH = 24;
const CHARACTERS = 2_097_152;
const NODES = 1_000_000;

interface Pending {
  readonly value: unknown;
  readonly path: string;
  readonly depth: number;
}

/** The lines of a value, in document order, without a final line feed. */
export function textProjection(structured: unknown): string {
  const lines: string[] = [];
  let characters = 0;
  let nodes = 0;
  const stack: Pending[] = [{ value: structured, path: "", depth: 0 }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (++nodes > NODES) return [...lines, "[truncated: expansion limit]"].join("\n");
    const inner = node.depth < DEPTH ? childrenOf(node) : null;
    if (inner !== null) {
      for (let i = inner.length - 1; i >= 0; i--) stack.push(inner[i]!);
      continue;
    }
    const line = lineOf(node);
    characters += codePointLength(line) + 1;
    if (characters > CHARACTERS) return [...lines, "[truncated: size limit]"].join("\n");
    lines.push(line);
  }
  return lines.join("\n");
}

/** The members of a container that is not empty; `null` for everything else. */
function childrenOf({ value, path, depth }: Pending): Pending[] | null {
  if (typeof value !== "object" || value === null) return null;
  // A bound on the list itself: more members than nodes are left can never all be shown.
  const keys = Object.keys(value).slice(0, NODES + 1);
  if (keys.length === 0) return null;
  return keys.map((key) => ({
    value: (value as Record<string, unknown>)[key],
    path: path === "" ? key : `${path}.${key}`,
    depth: depth + 1,
  }));
}

function lineOf({ value, path }: Pending): string {
  const label = path === "" ? "value" : path;
  if (typeof value !== "object" || value === null) return `${label}: ${String(value)}`;
  if (Object.keys(value).length === 0) return `${label}: ${Array.isArray(value) ? "[]" : "{}"}`;
  return `${label}: [truncated: nesting limit]`;
}

/** What is searched of a document: its body, a blank line, its projection. */
export function searchableText(body: string, structured: unknown): string {
  return structured === null ? body : `${body}\n\n${textProjection(structured)}`;
}
