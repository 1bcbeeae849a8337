/**
 * Reading an entry of a pack: its head, its inflated content, and what a delta makes of its base.
 *
 * @module
 */

import { inflateSync } from "node:zlib";
import type { RandomAccessFile } from "../files/mod.ts";
import { OBJECT_BYTES, Unreadable } from "./_limits.ts";

/** Kinds of objects, by their number in a pack. */
const KINDS: Readonly<Record<number, ObjectKind>> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const OFFSET_DELTA = 6;
const ID_DELTA = 7;

export type ObjectKind = "commit" | "tree" | "blob" | "tag";

/** An entry whose base, if it has one, is still to be read. */
export type PackEntry =
  | { readonly kind: ObjectKind; readonly content: Uint8Array }
  | {
    readonly kind: "delta";
    readonly delta: Uint8Array;
    /** Offset in the same pack, or an object id. */
    readonly base: number | Uint8Array;
  };

/** Most bytes an entry's head takes: size, then a base id or offset. */
const HEAD_BYTES = 64;

/** Reads the entry at `offset`. Throws {@linkcode Unreadable}. */
export function readPackEntry(pack: RandomAccessFile, offset: number, idBytes: number): PackEntry {
  const head = new Cursor(pack.read(offset, HEAD_BYTES));
  let byte = head.next();
  const type = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = head.next();
    size += (byte & 0x7f) * 2 ** shift;
    if (size > OBJECT_BYTES) throw new Unreadable("An object is too large");
  }
  const kind = KINDS[type];
  if (kind !== undefined) {
    return { kind, content: inflate(pack, offset + head.position, size) };
  }
  let base: number | Uint8Array;
  if (type === ID_DELTA) base = head.take(idBytes);
  else if (type === OFFSET_DELTA) base = offset - readBackwards(head);
  else throw new Unreadable("An unknown pack entry");
  if (typeof base === "number" && (base <= 0 || base >= offset)) {
    throw new Unreadable("A pack is damaged");
  }
  return { kind: "delta", base, delta: inflate(pack, offset + head.position, size) };
}

function readBackwards(head: Cursor): number {
  let byte = head.next();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = head.next();
    distance = (distance + 1) * 128 + (byte & 0x7f);
    if (distance > Number.MAX_SAFE_INTEGER) throw new Unreadable("A pack is damaged");
  }
  return distance;
}

/** Inflates exactly `size` bytes; what deflate can at most need is read. */
function inflate(pack: RandomAccessFile, offset: number, size: number): Uint8Array {
  const compressed = pack.read(offset, size + (size >> 8) + 1024);
  const content = inflateBounded(compressed, size);
  if (content.length !== size) throw new Unreadable("A pack is damaged");
  return content;
}

/** Inflates at most `limit` bytes; bytes behind the stream are ignored. */
export function inflateBounded(compressed: Uint8Array, limit: number): Uint8Array {
  try {
    return new Uint8Array(inflateSync(compressed, { maxOutputLength: Math.max(limit, 1) }));
  } catch (cause) {
    throw new Unreadable("An object cannot be inflated", { cause });
  }
}

/** Builds an object out of its base and a delta. Throws {@linkcode Unreadable} on a damaged delta. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Uint8Array {
  const cursor = new Cursor(delta);
  if (readSize(cursor) !== base.length) throw new Unreadable("A delta has another base");
  const size = readSize(cursor);
  if (size > OBJECT_BYTES) throw new Unreadable("An object is too large");
  const result = new Uint8Array(size);
  let filled = 0;
  while (!cursor.atEnd) {
    const instruction = cursor.next();
    const piece = instruction & 0x80 ? copied(base, instruction, cursor) : cursor.take(instruction);
    if (instruction === 0 || filled + piece.length > size) {
      throw new Unreadable("A delta is damaged");
    }
    result.set(piece, filled);
    filled += piece.length;
  }
  if (filled !== size) throw new Unreadable("A delta is damaged");
  return result;
}

function readSize(cursor: Cursor): number {
  let size = 0;
  for (let shift = 0;; shift += 7) {
    const byte = cursor.next();
    size += (byte & 0x7f) * 2 ** shift;
    if (size > OBJECT_BYTES) throw new Unreadable("An object is too large");
    if (!(byte & 0x80)) return size;
  }
}

function copied(base: Uint8Array, instruction: number, cursor: Cursor): Uint8Array {
  let offset = 0;
  let size = 0;
  for (let i = 0; i < 4; i++) if (instruction & (1 << i)) offset += cursor.next() * 2 ** (8 * i);
  for (let i = 0; i < 3; i++) if (instruction & (16 << i)) size += cursor.next() * 2 ** (8 * i);
  if (size === 0) size = 0x10000;
  if (offset + size > base.length) throw new Unreadable("A delta is damaged");
  return base.subarray(offset, offset + size);
}

/** Reads bytes one by one, and never past the end. */
class Cursor {
  position = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get atEnd(): boolean {
    return this.position === this.bytes.length;
  }

  next(): number {
    const byte = this.bytes[this.position++];
    if (byte === undefined) throw new Unreadable("A pack is cut short");
    return byte;
  }

  take(count: number): Uint8Array {
    const taken = this.bytes.subarray(this.position, this.position + count);
    if (taken.length < count) throw new Unreadable("A pack is cut short");
    this.position += count;
    return taken;
  }
}
