/**
 * The summary forest (index-build.md section 7): a node for each document of three passages or more,
 * for each kind of three such documents, for each scope of three such kinds. Nothing crosses a scope.
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import { compareCodePoints } from "../platform/text.ts";
import { DEFAULT_ACL_GROUP, DEFAULT_TENANT } from "../knowledge/model.ts";
import { summariseTexts } from "./summarise_texts.ts";

/** Fewer children make no node, and nothing is passed upward. */
export const FEWEST_CHILDREN = 3;
/** A kind with more documents is cut into batches of so many. */
export const MOST_DOMAIN_CHILDREN = 500;

const SEPARATOR = "\x1f";

/** What all children of a node have in common, so that no summary carries a fact under a lower label. */
export interface ForestScope {
  readonly projectId: string;
  readonly sensitivity: string;
  readonly namespace: string;
  readonly status: string;
}

/** A summary node. */
export interface ForestNode {
  readonly nodeId: string;
  readonly treeId: string;
  readonly level: 1 | 2 | 3;
  readonly nodeType: "document" | "domain" | "catalog";
  readonly text: string;
  /** SHA-256 of the text. */
  readonly contentHash: string;
  /** The summarised revision at level 1, else `""`. */
  readonly revisionId: string;
  /** Node ids one level down in edge order; `[]` at level 1, whose children are all its passages. */
  readonly children: readonly string[];
}

/** A child as its parent needs it. */
export interface NodeReference {
  readonly nodeId: string;
  readonly contentHash: string;
}

/** The six parts of a scope as one text, by which scopes are told apart and ordered. */
export function scopeKey(scope: ForestScope): string {
  return [
    scope.projectId,
    DEFAULT_TENANT,
    scope.sensitivity,
    DEFAULT_ACL_GROUP,
    scope.namespace,
    scope.status,
  ].join(SEPARATOR);
}

/**
 * The node of a document over its passages in order; `null` when they are too few, or too long
 * together to be summarised.
 */
export function documentNode(
  scope: ForestScope,
  document: { readonly itemId: string; readonly revisionId: string },
  passages: readonly string[],
): ForestNode | null {
  if (passages.length < FEWEST_CHILDREN) return null;
  const text = summariseTexts(passages);
  if (text === null) return null;
  const treeId = treeIdOf(scope, "document", document.itemId);
  return {
    nodeId: nodeIdOf(treeId, 1, passages.map(sha256Hex)),
    treeId,
    level: 1,
    nodeType: "document",
    text,
    contentHash: sha256Hex(text),
    revisionId: document.revisionId,
    children: [],
  };
}

/**
 * The nodes above the document nodes of one scope, domains first. `textOf` gives the text of a
 * document node; `known` holds texts of nodes that were derived before, which an id determines.
 */
export function upperNodes(
  scope: ForestScope,
  documents: readonly (NodeReference & { readonly kind: string })[],
  textOf: (nodeId: string) => string,
  known: ReadonlyMap<string, string> = new Map(),
): ForestNode[] {
  const domains: ForestNode[] = [];
  const byKind = Map.groupBy(documents, (document) => document.kind);
  for (const kind of [...byKind.keys()].sort(compareCodePoints)) {
    const children = byKind.get(kind)!.toSorted(byNodeId);
    const batches = batchesOf(children);
    batches.forEach((batch, index) => {
      const discriminator = children.length > MOST_DOMAIN_CHILDREN ? `${kind}#${index}` : kind;
      const node = groupNode(scope, 2, discriminator, batch, textOf, known);
      if (node !== null) domains.push(node);
    });
  }
  const texts = new Map(domains.map((node) => [node.nodeId, node.text]));
  const children = domains.toSorted(byNodeId);
  const catalog = groupNode(scope, 3, "", children, (id) => texts.get(id)!, known);
  return catalog === null ? domains : [...domains, catalog];
}

function batchesOf(children: readonly NodeReference[]): NodeReference[][] {
  const batches: NodeReference[][] = [];
  for (let start = 0; start < children.length; start += MOST_DOMAIN_CHILDREN) {
    batches.push(children.slice(start, start + MOST_DOMAIN_CHILDREN));
  }
  if (batches.length > 1 && batches.at(-1)!.length < FEWEST_CHILDREN) {
    const rest = batches.pop()!;
    batches.at(-1)!.push(...rest);
  }
  return batches;
}

function groupNode(
  scope: ForestScope,
  level: 2 | 3,
  discriminator: string,
  children: readonly NodeReference[],
  textOf: (nodeId: string) => string,
  known: ReadonlyMap<string, string>,
): ForestNode | null {
  if (children.length < FEWEST_CHILDREN) return null;
  const nodeType = level === 2 ? "domain" : "catalog";
  const treeId = treeIdOf(scope, nodeType, discriminator);
  const nodeId = nodeIdOf(treeId, level, children.map((child) => child.contentHash));
  const text = known.get(nodeId) ?? summariseTexts(children.map((child) => textOf(child.nodeId)));
  if (text === null) return null;
  return {
    nodeId,
    treeId,
    level,
    nodeType,
    text,
    contentHash: sha256Hex(text),
    revisionId: "",
    children: children.map((child) => child.nodeId),
  };
}

function treeIdOf(scope: ForestScope, nodeType: string, discriminator: string): string {
  return sha256Hex([scopeKey(scope), nodeType, discriminator].join(SEPARATOR));
}

/** Depends on what the children say, not on their order or number of the build. */
function nodeIdOf(treeId: string, level: number, childHashes: readonly string[]): string {
  return sha256Hex([treeId, String(level), ...childHashes.toSorted()].join(SEPARATOR));
}

function byNodeId(a: NodeReference, b: NodeReference): number {
  return a.nodeId < b.nodeId ? -1 : a.nodeId > b.nodeId ? 1 : 0;
}
