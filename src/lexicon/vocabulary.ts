/**
 * Every term of a word index as one text, so that a part of a word is found at the speed of a
 * substring search and a typing error by walking the terms of about its length.
 *
 * @module
 */

/** The terms of one word index. A term's id is its place in ascending UTF-16 order. */
export class Vocabulary {
  /** Start of each term in the text. */
  readonly #starts: Uint32Array;

  /** @param lines `\n`, then each term followed by `\n` */
  constructor(readonly lines: string) {
    const starts: number[] = [];
    for (let at = 0; at + 1 < lines.length; at = lines.indexOf("\n", at + 1)) starts.push(at + 1);
    this.#starts = Uint32Array.from(starts);
  }

  /** Number of terms. */
  get size(): number {
    return this.#starts.length;
  }

  /** The term with this id. */
  term(id: number): string {
    const start = this.#starts[id];
    if (start === undefined) throw new RangeError("Cannot name a term beyond the last one");
    return this.lines.slice(start, this.#end(id));
  }

  /** Length of the term with this id, in UTF-16 units. */
  termLength(id: number): number {
    return this.#end(id) - this.#starts[id]!;
  }

  /** The id of a term, or `null` when it is unknown. */
  idOf(term: string): number | null {
    let low = 0;
    let high = this.size - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = this.term(middle);
      if (found === term) return middle;
      if (found < term) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  /**
   * Ids of the terms that contain a text, in ascending order, at most `limit`. A line feed in front
   * stands for the start of a term.
   */
  containing(part: string, limit: number): number[] {
    const ids: number[] = [];
    const lead = part.startsWith("\n") ? 1 : 0;
    if (part.length === lead || part.includes("\n", lead)) return ids;
    let at = this.lines.indexOf(part);
    while (at >= 0 && ids.length < limit) {
      const id = this.#lineAt(at + lead);
      ids.push(id);
      at = this.lines.indexOf(part, this.#end(id));
    }
    return ids;
  }

  #end(id: number): number {
    return (this.#starts[id + 1] ?? this.lines.length) - 1;
  }

  #lineAt(position: number): number {
    let low = 0;
    let high = this.size - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
