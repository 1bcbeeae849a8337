/**
 * The summary forest above the documents of an index: which summaries say what is asked, and the way
 * from the broadest summary down to a document (retrieval.md 5.4).
 *
 * @module
 */

import { hasNonAscii, type Lexicon, piecesOfText } from "../lexicon/mod.ts";
import type { JsonObject } from "../platform/json.ts";
import { blobText, type Connection, ContentMemo } from "../platform/sqlite/mod.ts";
import { excerptOf } from "./excerpt.ts";
import { Greatest } from "./_greatest.ts";
import type { SearchPath } from "./fuse_paths.ts";
import { byScore, type RankedDocument } from "./best_documents.ts";
import type { FoundUnit, WordRanking } from "./rank_words.ts";
import { PATH_WEIGHTS } from "./weights.ts";

interface NodeRow {
  readonly id: number;
  readonly node_id: string;
  readonly level: number;
  readonly parent: number | null;
  readonly sensitivity: string;
  readonly status: string;
  readonly text: Uint8Array;
}

const NODE = "SELECT id, node_id, level, parent, sensitivity, status, CAST(text AS BLOB) AS text " +
  "FROM nodes ";

/** Levels above the summary of a single document. */
const BROAD_LEVEL = 2;
const MOST_ANCESTORS = 2;

/**
 * Documents under a broad summary that says all of what is asked, by number in the word index. A
 * summary that says only some of it leads everywhere and is left alone.
 */
export function documentsUnderSummaries(
  connection: Connection,
  { facts }: Lexicon,
  found: readonly FoundUnit[],
  includeUnapproved: boolean,
): ReadonlySet<number> {
  const documents = new Set<number>();
  if (found.length < 2) return documents;
  for (
    const { id, status, said } of broadSummaries.get(connection, "", () => readBroad(connection))
  ) {
    if (!includeUnapproved && status !== "approved") continue;
    if (!saysAll((term) => said.has(term), found)) continue;
    for (const row of rowsUnder.get(connection, id, () => documentRowsUnder(connection, id))) {
      const document = (facts.documentOf[row] ?? 0) - 1;
      if (document >= 0) documents.add(document);
    }
  }
  return documents;
}

/** A broad summary and the terms it says. */
interface BroadSummary {
  readonly id: number;
  readonly status: string;
  readonly said: ReadonlySet<string>;
}

/** Few beside the documents, and asked about by every question of several words. */
const broadSummaries = new ContentMemo<readonly BroadSummary[]>(1);

function readBroad(connection: Connection): BroadSummary[] {
  const rows = connection.all<NodeRow>(`${NODE}WHERE level >= ? ORDER BY id`, BROAD_LEVEL);
  return rows.map(({ id, status, text }) => ({ id, status, said: termsIn(blobText(text)) }));
}

const rowsUnder = new ContentMemo<readonly number[]>(256);

function documentRowsUnder(connection: Connection, node: number): number[] {
  const rows: number[] = [];
  const pending = [node];
  const seen = new Set(pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const children = connection.all<{ id: number; document: number | null }>(
      "SELECT id, document FROM nodes WHERE parent = ? ORDER BY id",
      next,
    );
    for (const { id, document } of children) {
      if (document !== null) rows.push(document);
      if (!seen.has(id)) pending.push(id);
      seen.add(id);
    }
  }
  return rows;
}

/**
 * The word ranking with the documents raised whose own summary says all of a question of several
 * words: such a document is about it. Exact for the first `exactFor` documents; below a score that
 * raising cannot bring among them, summaries are not read.
 */
export function raiseSummarised(
  connection: Connection,
  { facts }: Lexicon,
  { documents, found }: WordRanking,
  exactFor: number,
): RankedDocument[] {
  if (found.length < 2) return [...documents];
  const asked = askedOf(found);
  const first = new Greatest(exactFor);
  return documents.map((one) => {
    const possible = one.score * PATH_WEIGHTS.ownSummary;
    const isRaised = one.holdsAll && possible >= first.least &&
      ownSummarySaysAll(connection, facts.rows[one.document]!, asked);
    const score = isRaised ? possible : one.score;
    first.add(score);
    return isRaised ? { ...one, score } : one;
  }).sort(byScore);
}

/** What is asked of a summary, put so that most answers cost a substring search. */
interface Asked {
  readonly found: readonly FoundUnit[];
  /** For each unit its terms, when all of them are of plain letters and digits. */
  readonly plain: readonly (readonly string[])[];
}

function askedOf(found: readonly FoundUnit[]): Asked {
  const plain = found.map((one) => one.terms)
    .filter((terms) => terms.every((term) => /^[a-z0-9]+$/.test(term)));
  return { found, plain };
}

function ownSummarySaysAll(
  connection: Connection,
  row: number,
  { found, plain }: Asked,
): boolean {
  const own = ownSummaries.get(connection, row, () => {
    const node = connection.get<NodeRow>(`${NODE}WHERE document = ? LIMIT 1`, row);
    return node === undefined ? null : ownSummaryOf(blobText(node.text));
  });
  if (own === null) return false;
  // Plain letters that lack the letters of a plain unit say no term of it: they need not be cut.
  const { lower } = own;
  if (lower !== null && !plain.every((terms) => terms.some((term) => lower.includes(term)))) {
    return false;
  }
  const said = ownTerms.get(connection, row, () => `\n${[...termsIn(own.text)].join("\n")}\n`);
  return saysAll((term) => said.includes(`\n${term}\n`), found);
}

/** A document's own summary. */
interface OwnSummary {
  readonly text: string;
  /** The text in small letters when it is plain, else `null`. */
  readonly lower: string | null;
}

function ownSummaryOf(text: string): OwnSummary {
  return { text, lower: hasNonAscii(text) ? null : text.toLowerCase() };
}

/** Terms of the documents' own summaries, a line each: a set of them would take ten times the room. */
const ownTerms = new ContentMemo<string>(4096);

/** The documents' own summaries; one has a few hundred bytes. */
const ownSummaries = new ContentMemo<OwnSummary | null>(4096);

function saysAll(says: (term: string) => boolean, found: readonly FoundUnit[]): boolean {
  return found.every((one) => one.terms.some(says));
}

/** What the forest says about one document. */
export interface Ancestry {
  /** From the broadest summary down to the document's own; never empty. */
  readonly path: readonly JsonObject[];
  /** True when the document's own summary holds one of the words that were found. */
  readonly saysIt: boolean;
}

/** Ways that found a document, its own summary included, in alphabetical order. */
export function waysOf(foundBy: readonly SearchPath[], ancestry: Ancestry | null): SearchPath[] {
  const ways = new Set(foundBy);
  if (ancestry?.saysIt === true) ways.add("summary");
  return [...ways].sort();
}

/** The summaries above a document, or `null` when it has none. */
export function ancestryOf(
  connection: Connection,
  document: DocumentLabels,
  found: readonly FoundUnit[],
): Ancestry | null {
  const lineage = lineages.get(
    connection,
    document.row,
    () => readLineage(connection, document),
  );
  if (lineage === null) return null;
  const { path, said } = lineage;
  return { path, saysIt: found.some((one) => one.terms.some((term) => said.has(term))) };
}

/** What decides which summaries stand above a document; the same for one row of one index. */
interface DocumentLabels {
  readonly row: number;
  readonly status: string;
  readonly sensitivity: string;
}

/** The way down to a document, and the terms of its own summary. */
interface Lineage {
  readonly path: readonly JsonObject[];
  readonly said: ReadonlySet<string>;
}

const lineages = new ContentMemo<Lineage | null>(1024);

function readLineage(connection: Connection, document: DocumentLabels): Lineage | null {
  const own = connection.get<NodeRow>(`${NODE}WHERE document = ? LIMIT 1`, document.row);
  if (own === undefined) return null;
  const nodes: NodeRow[] = [];
  for (let node: NodeRow | undefined = own; node !== undefined;) {
    if (node.status === document.status && node.sensitivity === document.sensitivity) {
      nodes.unshift(node);
    }
    if (node.parent === null || nodes.length > MOST_ANCESTORS) break;
    node = connection.get<NodeRow>(`${NODE}WHERE id = ?`, node.parent);
  }
  if (nodes.length === 0) return null;
  return {
    path: nodes.map((node) => ({
      nodeId: node.node_id,
      level: node.level,
      title: excerptOf(blobText(node.text)),
    })),
    said: termsIn(blobText(own.text)),
  };
}

/** Terms of a text as the word index names them. */
function termsIn(text: string): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const piece of piecesOfText(text)) {
    if (piece.kind === "run") {
      piece.characters.forEach((character, i) => {
        terms.add(character);
        if (i > 0) terms.add(piece.characters[i - 1]! + character);
      });
    } else {
      for (const word of [...piece.words, ...piece.extras]) terms.add(word);
      if (piece.whole !== null) terms.add(piece.whole);
    }
  }
  return terms;
}
