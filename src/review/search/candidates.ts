/**
 * Ranks of records that can hold a literal text, from the pieces in the store. Every candidate is
 * verified by the reader; a record that is left out cannot hold the text.
 *
 * @module
 */

import type { Connection } from "../../platform/sqlite/mod.ts";
import { DamagedStore } from "../damaged_store.ts";
import { decodePostings, type GramQuestion, gramQuestion } from "./grams.ts";
import { NO_RANK } from "./store_schema.ts";

/** Pieces of a text that are looked up at most: the rarest narrow most. */
const PIECES = 12;
/** Bytes of lists up to which the pieces of a short text are joined; beyond, it is common. */
const JOINED_BYTES = 65_536;

/**
 * Candidate ranks, ascending; `null` when the pieces do not narrow and the records are better read
 * in order. Throws {@linkcode DamagedStore}.
 */
export function candidateRanks(connection: Connection, text: string): Uint32Array | null {
  const question = gramQuestion(text);
  const ordinals = question.kind === "all"
    ? inAll(connection, question.buckets)
    : inOne(connection, question);
  if (ordinals === null) return null;
  const ranks = readRanks(connection);
  const found = new Uint32Array(ordinals.length);
  let count = 0;
  for (const ordinal of ordinals) {
    const rank = ranks[ordinal];
    if (rank === undefined) throw new DamagedStore("A list names a record that is not there");
    if (rank !== NO_RANK) found[count++] = rank;
  }
  return found.subarray(0, count).sort();
}

/** Where each record stands in the serving order. */
function readRanks(connection: Connection): Uint32Array {
  const row = connection.get<{ ranks: unknown }>("SELECT ranks FROM review_metadata WHERE id = 1");
  const blob = row?.ranks;
  if (!(blob instanceof Uint8Array) || blob.length % 4 !== 0) {
    throw new DamagedStore("The serving order is damaged");
  }
  return new Uint32Array(blob.slice().buffer);
}

function inAll(connection: Connection, buckets: readonly number[]): Uint32Array {
  const sized = buckets.map((bucket) => ({ bucket, bytes: listBytes(connection, bucket) }));
  sized.sort((a, b) => a.bytes - b.bytes || a.bucket - b.bucket);
  let common: Uint32Array | null = null;
  for (const { bucket, bytes } of sized.slice(0, PIECES)) {
    if (bytes === 0) return new Uint32Array(0);
    // A long list costs more to read than it still removes.
    if (common !== null && (common.length <= 32 || bytes > common.length * 64)) break;
    const list = readList(connection, bucket, bytes);
    common = common === null ? list : intersection(common, list);
  }
  return common ?? new Uint32Array(0);
}

function listBytes(connection: Connection, bucket: number): number {
  const row = connection.get<{ bytes: number | null }>(
    "SELECT sum(length(postings)) AS bytes FROM review_grams WHERE bucket = ?",
    bucket,
  );
  return row?.bytes ?? 0;
}

function readList(connection: Connection, bucket: number, bytes: number): Uint32Array {
  const rows = connection.all<{ postings: unknown }>(
    "SELECT postings FROM review_grams WHERE bucket = ? ORDER BY segment",
    bucket,
  );
  return decodeAll(rows, bytes);
}

/** Numbers of several lists, one after the other; `bytes` is the length of all lists. */
function decodeAll(rows: readonly { postings: unknown }[], bytes: number): Uint32Array {
  const ids = new Uint32Array(bytes);
  let count = 0;
  for (const { postings } of rows) {
    if (!(postings instanceof Uint8Array)) throw new DamagedStore("A list is damaged");
    try {
      count = decodePostings(postings, ids, count);
    } catch (error) {
      if (error instanceof RangeError) throw new DamagedStore("A list is damaged");
      throw error;
    }
  }
  return ids.subarray(0, count);
}

function intersection(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(Math.min(a.length, b.length));
  let count = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const order = a[i]! - b[j]!;
    if (order === 0) {
      both[count++] = a[i]!;
      i++;
      j++;
    } else if (order < 0) i++;
    else j++;
  }
  return both.slice(0, count);
}

/** Records in any bucket of a range; `null` when there are too many to be worth joining. */
function inOne(
  connection: Connection,
  { from, to }: Extract<GramQuestion, { kind: "range" }>,
): Uint32Array | null {
  const row = connection.get<{ bytes: number | null }>(
    "SELECT sum(length(postings)) AS bytes FROM review_grams WHERE bucket BETWEEN ? AND ?",
    from,
    to,
  );
  const bytes = row?.bytes ?? 0;
  if (bytes > JOINED_BYTES) return null;
  const rows = connection.all<{ postings: unknown }>(
    "SELECT postings FROM review_grams WHERE bucket BETWEEN ? AND ?",
    from,
    to,
  );
  return Uint32Array.from(new Set(decodeAll(rows, bytes)));
}
