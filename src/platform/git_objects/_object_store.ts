/**
 * Objects of one repository by id: loose, packed, in alternates. Every object is checked against its
 * id, so a damaged or forged file reads as absent.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { isFault } from "../errors.ts";
import {
  listDirectory,
  openRandomAccess,
  type RandomAccessFile,
  readRegularFileIfPresent,
} from "../files/mod.ts";
import { type Deadline, DELTA_CHAIN, OBJECT_BYTES, Unreadable } from "./_limits.ts";
import { applyDelta, inflateBounded, type ObjectKind, readPackEntry } from "./_pack_entry.ts";
import { openPackIndex, type PackIndex } from "./_pack_index.ts";
import type { RepositoryObjects } from "./_repository.ts";

/** An object with its content. */
export interface GitObject {
  readonly kind: ObjectKind;
  readonly content: Uint8Array;
}

interface OpenPack {
  readonly index: PackIndex;
  readonly pack: RandomAccessFile;
}

const KIND = /^(commit|tree|blob|tag) (\d{1,10})\0/;
const HEADER_BYTES = 32;

/** An open repository; close it to close its packs. */
export class ObjectStore implements Disposable {
  readonly #repository: RepositoryObjects;
  readonly #deadline: Deadline;
  #packs: OpenPack[] | null = null;

  constructor(repository: RepositoryObjects, deadline: Deadline) {
    this.#repository = repository;
    this.#deadline = deadline;
  }

  /** Bytes of an id. */
  get idBytes(): number {
    return this.#repository.format === "sha256" ? 32 : 20;
  }

  /** The object of a hex id. Throws {@linkcode Unreadable} when it is absent or damaged. */
  read(id: string): GitObject {
    return this.#read(id, 0);
  }

  #read(id: string, depth: number): GitObject {
    this.#deadline.check();
    const object = this.#loose(id) ?? this.#packed(id, depth);
    if (object === null) throw new Unreadable("An object is absent");
    if (this.#idOf(object) !== id) throw new Unreadable("An object is damaged");
    return object;
  }

  #idOf(object: GitObject): string {
    return createHash(this.#repository.format)
      .update(`${object.kind} ${object.content.length}\0`)
      .update(object.content)
      .digest("hex");
  }

  #loose(id: string): GitObject | null {
    for (const directory of this.#repository.directories) {
      const path = join(directory, id.slice(0, 2), id.slice(2));
      const compressed = readRegularFileIfPresent(path, { maxBytes: OBJECT_BYTES });
      if (compressed === null) continue;
      const bytes = inflateBounded(compressed, OBJECT_BYTES + HEADER_BYTES);
      const head = KIND.exec(String.fromCharCode(...bytes.subarray(0, HEADER_BYTES)));
      if (head === null) throw new Unreadable("An object is damaged");
      const content = bytes.subarray(head[0].length);
      if (content.length !== Number(head[2])) throw new Unreadable("An object is damaged");
      return { kind: head[1] as ObjectKind, content };
    }
    return null;
  }

  #packed(id: string, depth: number): GitObject | null {
    const bytes = Uint8Array.from(id.match(/../g)!, (pair) => parseInt(pair, 16));
    for (const open of this.#openPacks()) {
      this.#deadline.check();
      const offset = open.index.offsetOf(bytes);
      if (offset !== null) return this.#entry(open, offset, depth);
    }
    return null;
  }

  /** Follows a chain of deltas down to a whole object, then builds upwards. */
  #entry(open: OpenPack, start: number, depth: number): GitObject {
    const deltas: Uint8Array[] = [];
    for (let offset = start;;) {
      this.#deadline.check();
      if (deltas.length + depth > DELTA_CHAIN) throw new Unreadable("Too many deltas");
      const entry = readPackEntry(open.pack, offset, this.idBytes);
      if (entry.kind !== "delta") return build(entry, deltas);
      deltas.push(entry.delta);
      if (typeof entry.base === "number") {
        offset = entry.base;
        continue;
      }
      const base = open.index.offsetOf(entry.base);
      if (base === null) return build(this.#read(hex(entry.base), depth + deltas.length), deltas);
      offset = base;
    }
  }

  #openPacks(): readonly OpenPack[] {
    if (this.#packs !== null) return this.#packs;
    this.#packs = [];
    for (const directory of this.#repository.directories) {
      for (const { name } of listDirectory(join(directory, "pack"))) {
        if (!name.endsWith(".idx")) continue;
        const open = openPack(join(directory, "pack", name), this.idBytes);
        if (open !== null) this.#packs.push(open);
      }
    }
    return this.#packs;
  }

  [Symbol.dispose](): void {
    for (const { index, pack } of this.#packs ?? []) {
      index[Symbol.dispose]();
      pack[Symbol.dispose]();
    }
    this.#packs = null;
  }
}

/** Opens a pack by its index; one that cannot be used is passed over, as Git does. */
function openPack(indexPath: string, idBytes: number): OpenPack | null {
  let pack: RandomAccessFile | null = null;
  try {
    pack = openRandomAccess(`${indexPath.slice(0, -".idx".length)}.pack`);
    return pack === null ? null : { index: openPackIndex(indexPath, idBytes), pack };
  } catch (error) {
    pack?.[Symbol.dispose]();
    if (error instanceof Unreadable || isFault(error)) return null;
    throw error;
  }
}

function build(base: GitObject, deltas: readonly Uint8Array[]): GitObject {
  let content = base.content;
  for (let i = deltas.length - 1; i >= 0; i--) content = applyDelta(content, deltas[i]!);
  return { kind: base.kind, content };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
