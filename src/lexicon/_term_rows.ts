/**
 * The rows of `terms`, written and changed a part at a time.
 *
 * @module
 */

import type { Connection } from "../platform/sqlite/mod.ts";
import {
  firstPlace,
  forEachPosting,
  joinPostings,
  lastPlace,
  packPostings,
  withoutPlaces,
} from "./postings.ts";

/**
 * Bytes of both lists of a row, beyond which the next places get a row of their own: what a page of
 * the file takes without a page for the overflow.
 */
export const MOST_PART_BYTES = 1900;

/** A term's two lists, each as one part. */
export interface TermLists {
  readonly passages: Uint8Array | null;
  readonly names: Uint8Array | null;
}

interface TermRow extends TermLists {
  readonly part: number;
}

const INSERT = "INSERT INTO terms (term, part, passages, names) VALUES (?, ?, ?, ?)";
const UPDATE = "UPDATE terms SET passages = ?, names = ? WHERE term = ? AND part = ?";
const LAST_FROM = "SELECT part, passages, names FROM terms WHERE term = ? AND part <= ? " +
  "ORDER BY part DESC LIMIT 1";
const BEYOND_ALL = 0xffffffff;

/** Writes the lists of a term that has no row yet. */
export function insertTerm(connection: Connection, term: string, lists: TermLists): void {
  if (bytesOf(lists) <= MOST_PART_BYTES) {
    connection.run(INSERT, term, smallestPlace(lists), lists.passages, lists.names);
    return;
  }
  for (const { part, passages, names } of partsOf(lists)) {
    connection.run(INSERT, term, part, passages, names);
  }
}

/** Adds lists that lie behind what a term has; answers true when the term is new. */
export function appendToTerm(connection: Connection, term: string, lists: TermLists): boolean {
  const row = connection.get<TermRow>(LAST_FROM, term, BEYOND_ALL);
  if (row === undefined || bytesOf(row) + bytesOf(lists) > MOST_PART_BYTES) {
    insertTerm(connection, term, lists);
    return row === undefined;
  }
  const passages = joinPostings(row.passages, lists.passages);
  const names = joinPostings(row.names, lists.names);
  connection.run(UPDATE, passages, names, term, row.part);
  return false;
}

/**
 * Takes the places of `lists` out of a term, which holds all of them. `isGone` tells these places.
 * Answers true when nothing is left of the term.
 */
export function removeFromTerm(
  connection: Connection,
  term: string,
  lists: TermLists,
  isGone: (place: number) => boolean,
): boolean {
  const smallest = smallestPlace(lists);
  let emptied = false;
  let from = greatestPlace(lists);
  while (from >= smallest) {
    const row = connection.get<TermRow>(LAST_FROM, term, from);
    if (row === undefined) break;
    const passages = withoutPlaces(row.passages, isGone);
    const names = withoutPlaces(row.names, isGone);
    if (passages === null && names === null) {
      connection.run("DELETE FROM terms WHERE term = ? AND part = ?", term, row.part);
      emptied = true;
    } else if (bytesOf({ passages, names }) < bytesOf(row)) {
      connection.run(UPDATE, passages, names, term, row.part);
    }
    from = row.part - 1;
  }
  return emptied &&
    connection.get("SELECT 1 FROM terms WHERE term = ? LIMIT 1", term) === undefined;
}

function smallestPlace({ passages, names }: TermLists): number {
  if (passages === null || names === null) return firstPlace((passages ?? names)!);
  return Math.min(firstPlace(passages), firstPlace(names));
}

function greatestPlace({ passages, names }: TermLists): number {
  if (passages === null || names === null) return lastPlace((passages ?? names)!);
  return Math.max(lastPlace(passages), lastPlace(names));
}

function bytesOf({ passages, names }: TermLists): number {
  return (passages?.length ?? 0) + (names?.length ?? 0);
}

/** The rows that lists which are too long for one are written as. */
function* partsOf(lists: TermLists): Generator<TermRow> {
  const passages = new PartCutter(lists.passages);
  const names = new PartCutter(lists.names);
  while (!passages.done || !names.done) {
    const part = Math.min(passages.nextPlace, names.nextPlace);
    let bytes = 0;
    while (bytes < MOST_PART_BYTES - LONGEST_ENTRY && (!passages.done || !names.done)) {
      // Places of both lists go in step, so that a row holds all places between two of them.
      const place = Math.min(passages.nextPlace, names.nextPlace);
      bytes += passages.take(place) + names.take(place);
    }
    yield { part, passages: passages.cut(), names: names.cut() };
  }
}

/** Bytes that the entries of one place take in both lists at most, and both headers. */
const LONGEST_ENTRY = 2 * (15 + 4);

type Entry = [place: number, first: number, second: number];

/** Hands out the entries of a list in ascending place. */
class PartCutter {
  readonly #entries: Entry[] = [];
  #from = 0;
  #to = 0;

  constructor(list: Uint8Array | null) {
    if (list === null) return;
    forEachPosting([list], lastPlace(list), (...entry) => this.#entries.push(entry));
  }

  get done(): boolean {
    return this.#to === this.#entries.length;
  }

  get nextPlace(): number {
    return this.#entries[this.#to]?.[0] ?? Infinity;
  }

  /** Takes the entry of a place, if there is one, and answers about how many bytes it has. */
  take(place: number): number {
    const entry = this.#entries[this.#to];
    if (entry === undefined || entry[0] !== place) return 0;
    const before = this.#entries[this.#to - 1]?.[0] ?? 0;
    this.#to++;
    const [, first, second] = entry;
    return packedBytes(place - before) + packedBytes(first * 2 + 1) +
      (second > 0 ? packedBytes(second) : 0);
  }

  /** Packs what was taken since the last cut. */
  cut(): Uint8Array | null {
    const part = packPostings(this.#entries.slice(this.#from, this.#to));
    this.#from = this.#to;
    return part;
  }
}

function packedBytes(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : 5;
}
