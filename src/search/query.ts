/**
 * What a query asks for (retrieval.md 2.4, decision 21). Any text is a query: it is cut into the same
 * pieces as the index and has no operators but quotation marks, which keep words together.
 *
 * @module
 */

import {
  foldWord,
  pairsOf,
  type Piece,
  piecesOf,
  piecesOfText,
  stemWord,
  unitsOf,
} from "../lexicon/mod.ts";
import { firstCodePoints, replaceLoneSurrogates } from "../platform/text.ts";
import { isNoiseWord } from "./noise_words.ts";

/** Backstop behind the schema's bound, in code points. */
export const QUERY_LENGTH = 2000;
/** More distinct units than this are not looked for; the longest are kept. */
export const MOST_UNITS = 64;

/** More quoted phrases than this count as words. */
export const MOST_PHRASES = 8;

/** One thing to look for. */
export interface QueryUnit {
  /** Folded word, compound name, two words written as one, or character pair. */
  readonly text: string;
  readonly kind: "word" | "name" | "joined" | "character" | "pair";
  /** The name as it was written; the text itself for other kinds. */
  readonly written: string;
  /** Other spellings to look for when the text itself is in no document. */
  readonly fallbacks: readonly string[];
  /** A word that says nothing by itself, such as `the`. */
  readonly noise: boolean;
}

/** A parsed query. */
export interface Query {
  /** The text that is searched and echoed. */
  readonly text: string;
  readonly units: readonly QueryUnit[];
  /** Contents of quotation marks, as folded words in order; each holds two or more. */
  readonly phrases: readonly (readonly string[])[];
}

/** The query as it is searched and echoed: lone surrogates become `?`, at most 2,000 characters. */
export function normaliseQuery(text: string): string {
  return firstCodePoints(replaceLoneSurrogates(text), QUERY_LENGTH);
}

const QUOTED = /"([^"]+)"|“([^”]+)”|「([^」]+)」/g;

/** Cuts a normalised query into what is looked for. */
export function readQuery(text: string): Query {
  const units = new Map<string, QueryUnit>();
  const add = (one: QueryUnit) => {
    // `message` and `messages` ask for the same and must not count twice.
    const key = one.kind === "word" ? stemWord(one.text) : one.text;
    if (!units.has(key)) units.set(key, one);
  };
  let previous: QueryUnit | null = null;
  for (const written of unitsOf(text)) {
    for (const piece of piecesOf(written)) {
      const found = unitsOfPiece(piece, written);
      found.forEach(add);
      const [only] = found;
      const single = found.length === 1 && only!.kind === "word" ? only! : null;
      if (previous !== null && single !== null && mayBeOneName(previous.text, single.text)) {
        add(joined(previous, single));
      }
      previous = single;
    }
  }
  const phrases = [...text.matchAll(QUOTED)]
    .map((match) => sequenceOf(match[1] ?? match[2] ?? match[3]!))
    .filter((words) => words.length > 1).slice(0, MOST_PHRASES);
  return { text, units: longest([...units.values()]), phrases };
}

/** Folded words and characters of a text in order, as adjacency is judged. */
export function sequenceOf(text: string): string[] {
  return piecesOfText(text)
    .flatMap((piece) => piece.kind === "name" ? piece.words : piece.characters);
}

const ARTICLES: ReadonlySet<string> = new Set(["an", "the"]);

function mayBeOneName(first: string, second: string): boolean {
  return first !== second && first.length > 1 && second.length > 1 && !ARTICLES.has(first);
}

/** Two words that may be written as one: `time out` is `timeout` or `time_out`. */
function joined(first: QueryUnit, second: QueryUnit): QueryUnit {
  const name = `${first.text}_${second.text}`;
  const word = first.text + second.text;
  return isNoiseWord(word) ? unit(name, "joined") : unit(word, "joined", [name]);
}

function unitsOfPiece(piece: Piece, written: string): QueryUnit[] {
  if (piece.kind === "run") {
    const [only, second] = piece.characters;
    if (second === undefined) return [unit(only!, "character")];
    return pairsOf(piece.characters).map((pair) => unit(pair, "pair"));
  }
  const { words, extras, whole } = piece;
  if (whole === null) return words.map((word) => unit(word, "word", extras));
  const units = words.map((word) => unit(word, "word"));
  const others = [...extras, foldWord(whole.replaceAll("_", ""))];
  units.push({ ...unit(whole, "name", others), written });
  return units;
}

function unit(
  text: string,
  kind: QueryUnit["kind"],
  fallbacks: readonly string[] = [],
): QueryUnit {
  return { text, kind, written: text, fallbacks, noise: kind === "word" && isNoiseWord(text) };
}

function longest(units: QueryUnit[]): QueryUnit[] {
  if (units.length <= MOST_UNITS) return units;
  const isJoined = ({ kind }: QueryUnit) => kind === "joined" ? 1 : 0;
  const byLength = units
    .toSorted((a, b) => isJoined(a) - isJoined(b) || b.text.length - a.text.length)
    .slice(0, MOST_UNITS);
  const kept = new Set(byLength);
  return units.filter((one) => kept.has(one));
}
