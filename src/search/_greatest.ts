/** The greatest of the values added so far, at most so many. A class for the heap it keeps. */
export class Greatest {
  readonly #heap: Float64Array;
  #count = 0;

  /** @param most how many are kept, at least 1 */
  constructor(most: number) {
    this.#heap = new Float64Array(most);
  }

  /** The least of them; `-Infinity` while there are fewer than are kept. */
  get least(): number {
    return this.#count < this.#heap.length ? -Infinity : this.#heap[0]!;
  }

  /** Adds a value: few get past the least of many. */
  add(value: number): void {
    const heap = this.#heap;
    if (this.#count < heap.length) {
      heap[this.#count++] = value;
      // What is in ascending order is a heap with the least on top.
      if (this.#count === heap.length) heap.sort();
    } else if (value > heap[0]!) replaceLeast(heap, value);
  }
}

function replaceLeast(heap: Float64Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
