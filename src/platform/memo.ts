/**
 * What was computed before, by a key. Once there are `most` values all of them are forgotten: what is
 * asked for again soon comes back soon.
 */
export class Memo<Key, Value> {
  readonly #most: number;
  readonly #values = new Map<Key, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; computed where it is not known. What `compute` throws is not remembered. */
  get(key: Key, compute: () => Value): Value {
    const known = this.#values.get(key);
    if (known !== undefined || this.#values.has(key)) return known as Value;
    const value = compute();
    if (this.#values.size >= this.#most) this.#values.clear();
    this.#values.set(key, value);
    return value;
  }
}
