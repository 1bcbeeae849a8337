/**
 * Looking an object up in a pack's index (version 2, which every Git since 2007 writes).
 *
 * @module
 */

import { openRandomAccess, type RandomAccessFile } from "../files/mod.ts";
import { Unreadable } from "./_limits.ts";

const MAGIC = 0xff744f63;
const HEADER = 8;
const FANOUT = 256 * 4;

/** An open index. */
export interface PackIndex extends Disposable {
  /** Offset of an object in the pack; `null` when the pack does not hold it. */
  offsetOf(id: Uint8Array): number | null;
}

/** Opens an index; throws {@linkcode Unreadable} when it is no version 2 index. */
export function openPackIndex(path: string, idBytes: number): PackIndex {
  const file = openRandomAccess(path);
  if (file === null) throw new Unreadable("A pack index is gone");
  const head = view(file, 0, HEADER);
  if (head.getUint32(0) !== MAGIC || head.getUint32(4) !== 2) {
    file[Symbol.dispose]();
    throw new Unreadable("An unknown pack index");
  }
  return {
    offsetOf: (id) => lookUp(file, id, idBytes),
    [Symbol.dispose]: () => file[Symbol.dispose](),
  };
}

function view(file: RandomAccessFile, offset: number, length: number): DataView {
  const bytes = file.read(offset, length);
  if (bytes.length < length) throw new Unreadable("A pack index is cut short");
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function lookUp(file: RandomAccessFile, id: Uint8Array, idBytes: number): number | null {
  const fanout = view(file, HEADER, FANOUT);
  const first = id[0]!;
  let low = first === 0 ? 0 : fanout.getUint32((first - 1) * 4);
  let high = fanout.getUint32(first * 4);
  const total = fanout.getUint32(255 * 4);
  if (low > high || high > total) throw new Unreadable("A pack index is damaged");
  const ids = HEADER + FANOUT;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareBytes(file.read(ids + middle * idBytes, idBytes), id);
    if (order === 0) return offsetAt(file, ids + total * idBytes, total, middle);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return null;
}

/** Behind the ids stand checksums, then offsets; one with its top bit set names a long offset. */
function offsetAt(file: RandomAccessFile, checksums: number, total: number, at: number): number {
  const offsets = checksums + total * 4;
  const offset = view(file, offsets + at * 4, 4).getUint32(0);
  if (offset < 0x80000000) return offset;
  const long = view(file, offsets + total * 4 + (offset - 0x80000000) * 8, 8).getBigUint64(0);
  if (long > BigInt(Number.MAX_SAFE_INTEGER)) throw new Unreadable("A pack index is damaged");
  return Number(long);
}

/** Byte order; the shorter of two equal starts comes first. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    if (a[i] !== b[i]) return a[i]! - b[i]!;
  }
  return a.length - b.length;
}
