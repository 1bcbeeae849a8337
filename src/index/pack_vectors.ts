/**
 * Vectors as they are stored: the signed sums before normalisation, one byte each where they fit.
 * A quarter of the size of single-precision numbers, exact, and quicker to compare.
 *
 * @module
 */

import { squaredLength, sumGrams } from "./embed_text.ts";
import { VECTOR_DIMENSION, VECTOR_HEADER_BYTES } from "./schema.ts";

/** The packed vectors of one document's passages, in ordinal order. */
export interface PackedVectors {
  /** Bytes of a component. */
  readonly width: 1 | 2;
  readonly data: Uint8Array<ArrayBuffer>;
}

/** Packs the sums of each passage. Components lie within 16 bits: a passage has a few thousand grams. */
export function packVectors(passages: readonly Int32Array[]): PackedVectors {
  const width = passages.every(fitsOneByte) ? 1 : 2;
  const stride = strideOf(width);
  const data = new Uint8Array(stride * passages.length);
  const view = new DataView(data.buffer);
  for (const [passage, sums] of passages.entries()) {
    const start = passage * stride;
    view.setUint32(start, squaredLength(sums), true);
    const from = start + VECTOR_HEADER_BYTES;
    if (width === 1) { for (let i = 0; i < VECTOR_DIMENSION; i++) data[from + i] = sums[i]!; }
    else for (let i = 0; i < VECTOR_DIMENSION; i++) view.setInt16(from + 2 * i, sums[i]!, true);
  }
  return { width, data };
}

function fitsOneByte(sums: Int32Array): boolean {
  for (let i = 0; i < sums.length; i++) if (sums[i]! < -128 || sums[i]! > 127) return false;
  return true;
}

/** A query's vector, ready for many comparisons: of a short text most components are zero. */
export interface QueryVector {
  /** Components that are not zero. */
  readonly places: readonly number[];
  /** Their sums before normalisation, in the same order. */
  readonly sums: readonly number[];
  readonly squaredLength: number;
}

/** The vector of a query. */
export function queryVector(text: string): QueryVector {
  const all = new Int32Array(VECTOR_DIMENSION);
  sumGrams(text, all);
  const places = [...all.keys()].filter((place) => all[place] !== 0);
  const sums = places.map((place) => all[place]!);
  return { places, sums, squaredLength: squaredLength(all) };
}

/**
 * Calls `visit` with the cosine of the query's vector and each passage's, by ordinal. A row whose size
 * does not fit its width is damage and gives nothing (index-build.md section 6); a passage or query
 * without a gram gives nothing either.
 */
export function forEachCosine(
  query: QueryVector,
  stored: { readonly width: number; readonly data: unknown },
  visit: (ordinal: number, cosine: number) => void,
): void {
  const { width, data } = stored;
  if ((width !== 1 && width !== 2) || !(data instanceof Uint8Array)) return;
  if (query.squaredLength === 0) return;
  const stride = strideOf(width);
  if (data.length % stride !== 0) return;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  for (let ordinal = 0; ordinal * stride < data.length; ordinal++) {
    const start = ordinal * stride;
    const squared = view.getUint32(start, true);
    if (squared === 0) continue;
    const dot = width === 1
      ? dotBytes(query, data, start + VECTOR_HEADER_BYTES)
      : dotPairs(query, view, start + VECTOR_HEADER_BYTES);
    visit(ordinal, dot / Math.sqrt(query.squaredLength * squared));
  }
}

/** The vector of one passage, as `embedText()` gives it; `null` where there is none. */
export function unpackVector(
  stored: { readonly width: number; readonly data: Uint8Array },
  ordinal: number,
): Float32Array | null {
  const { width, data } = stored;
  const start = ordinal * strideOf(width);
  if (start + strideOf(width) > data.length) return null;
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const norm = Math.sqrt(view.getUint32(start, true));
  return Float32Array.from({ length: VECTOR_DIMENSION }, (_, i) => {
    const at = start + VECTOR_HEADER_BYTES + i * width;
    const sum = width === 1 ? view.getInt8(at) : view.getInt16(at, true);
    return norm === 0 ? 0 : sum / norm;
  });
}

function strideOf(width: number): number {
  return VECTOR_HEADER_BYTES + VECTOR_DIMENSION * width;
}

function dotBytes({ places, sums }: QueryVector, data: Uint8Array, start: number): number {
  let dot = 0;
  for (let i = 0; i < places.length; i++) {
    dot += sums[i]! * ((data[start + places[i]!]! << 24) >> 24);
  }
  return dot;
}

function dotPairs({ places, sums }: QueryVector, view: DataView, start: number): number {
  let dot = 0;
  for (let i = 0; i < places.length; i++) {
    dot += sums[i]! * view.getInt16(start + 2 * places[i]!, true);
  }
  return dot;
}
