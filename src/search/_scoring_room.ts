/**
 * Where scores are added up: a number for each document and passage of a word index. A query touches a
 * part of them, so the next one clears that part and uses the room again; setting it up anew took
 * longer than scoring a rare word.
 *
 * @module
 */

import type { Lexicon } from "../lexicon/mod.ts";

const rooms = new WeakMap<Lexicon, ScoringRoom>();

/** The room of a word index, cleared. What the last query left in it is gone. */
export function roomFor(lexicon: Lexicon): ScoringRoom {
  const { count, lastRow } = lexicon.facts;
  let room = rooms.get(lexicon);
  if (room === undefined) {
    room = new ScoringRoom(count, lastRow + 1);
    rooms.set(lexicon, room);
  } else room.clear();
  return room;
}

/** Room for documents and passages. A class for the memory it holds on to. */
export class ScoringRoom {
  readonly scores: Float64Array;
  readonly found: Float64Array;
  readonly marks: Uint8Array;
  readonly passageScores: Float64Array;
  readonly inText: Float64Array;
  readonly inName: Float64Array;
  readonly inPassage: Float64Array;
  readonly documents: PlaceList;
  readonly passages: PlaceList;
  readonly relatedDocuments: PlaceList;
  readonly relatedPassages: PlaceList;
  readonly relatedScores: Float64Array;
  readonly relatedRarity: Float64Array;
  readonly relatedPassageScores: Float64Array;
  /** Number of the last unit that each document was found to hold. */
  readonly holds: Uint32Array;
  unit = 0;
  readonly #isUsed: Uint8Array;
  readonly #isUsedPassage: Uint8Array;
  readonly #usedDocuments: PlaceList;
  readonly #usedPassages: PlaceList;

  constructor(documents: number, passages: number) {
    this.scores = new Float64Array(documents);
    this.found = new Float64Array(documents);
    this.marks = new Uint8Array(documents);
    this.passageScores = new Float64Array(passages);
    this.inText = new Float64Array(documents);
    this.inName = new Float64Array(documents);
    this.inPassage = new Float64Array(passages);
    this.documents = new PlaceList(documents);
    this.passages = new PlaceList(passages);
    this.relatedDocuments = new PlaceList(documents);
    this.relatedPassages = new PlaceList(passages);
    this.relatedScores = new Float64Array(documents);
    this.relatedRarity = new Float64Array(documents);
    this.relatedPassageScores = new Float64Array(passages);
    this.holds = new Uint32Array(documents);
    this.#isUsed = new Uint8Array(documents);
    this.#isUsedPassage = new Uint8Array(passages);
    this.#usedDocuments = new PlaceList(documents);
    this.#usedPassages = new PlaceList(passages);
  }

  /** Told before anything is added for a document. */
  noteDocument(document: number): void {
    if (this.#isUsed[document] === 1) return;
    this.#isUsed[document] = 1;
    this.#usedDocuments.push(document);
  }

  /** Told before anything is added for a passage. */
  notePassage(passage: number): void {
    if (this.#isUsedPassage[passage] === 1) return;
    this.#isUsedPassage[passage] = 1;
    this.#usedPassages.push(passage);
  }

  /** Documents that something was added for, in the order of that. */
  usedDocuments(): Uint32Array {
    return this.#usedDocuments.places();
  }

  /** Makes the room as new. A query that was broken off may have left counts anywhere. */
  clear(): void {
    clearPlaces(this.#usedDocuments, [
      this.scores,
      this.found,
      this.marks,
      this.holds,
      this.#isUsed,
    ]);
    clearPlaces(this.#usedPassages, [this.passageScores, this.#isUsedPassage]);
    const counts = [this.inText, this.inName, this.relatedScores, this.relatedRarity];
    for (const list of [this.documents, this.relatedDocuments]) clearPlaces(list, counts);
    for (const list of [this.passages, this.relatedPassages]) {
      clearPlaces(list, [this.inPassage, this.relatedPassageScores]);
    }
    this.unit = 0;
  }
}

/** Sets the places of a list to zero in each column, and empties the list. */
function clearPlaces(
  list: PlaceList,
  columns: readonly (Float64Array | Uint32Array | Uint8Array)[],
): void {
  for (const column of columns) {
    // Many places scattered over a column take longer than all of it in one go.
    if (list.length * 8 > column.length) column.fill(0);
    else for (let i = 0; i < list.length; i++) column[list.at(i)] = 0;
  }
  list.length = 0;
}

/** Places in the order of their first use. */
export class PlaceList {
  length = 0;
  readonly #places: Uint32Array;

  constructor(capacity: number) {
    this.#places = new Uint32Array(capacity);
  }

  push(place: number): void {
    this.#places[this.length++] = place;
  }

  at(index: number): number {
    return this.#places[index]!;
  }

  /** The places so far. */
  places(): Uint32Array {
    return this.#places.subarray(0, this.length);
  }
}
