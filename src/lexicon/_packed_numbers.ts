/**
 * Whole numbers in as few bytes as they need: seven bits a byte, the lowest first, the high bit on
 * all but the last.
 *
 * @module
 */

/** A growing list of packed numbers, each below 2^31. */
export class PackedNumbers {
  #bytes = new Uint8Array(8);
  #length = 0;

  push(value: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#grow(this.#length + 5);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Appends numbers that are packed already. */
  append(packed: Uint8Array): void {
    this.#grow(this.#length + packed.length);
    this.#bytes.set(packed, this.#length);
    this.#length += packed.length;
  }

  get length(): number {
    return this.#length;
  }

  /** The packed bytes so far. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(length: number): void {
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

/** Reads packed numbers one after the other. A number that the bytes do not hold throws. */
export class PackedReader {
  /** Byte that is read next. */
  at: number;

  constructor(readonly bytes: Uint8Array, from = 0) {
    this.at = from;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  /** As {@linkcode next}, for numbers that mostly fit into one byte. */
  quick(): number {
    const byte = this.bytes[this.at]!;
    if (!(byte < 0x80)) return this.next();
    this.at++;
    return byte;
  }

  next(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new RangeError("Cannot read a packed number");
  }
}
