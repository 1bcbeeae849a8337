import { Memo } from "../memo.ts";
import type { Connection } from "./connection.ts";

/**
 * What was computed from a published file, by a key: such a file never changes, and a connection that
 * reads another one, or the same one changed, has another content. Forgotten with the connection, and
 * all of one file together once there are `most` of it.
 */
export class ContentMemo<Value> {
  readonly #most: number;
  readonly #byContent = new WeakMap<object, Memo<string | number, Value>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The value of a key; computed where it is not known. What `compute` throws is not remembered. */
  get({ content }: Connection, key: string | number, compute: () => Value): Value {
    let values = this.#byContent.get(content);
    if (values === undefined) this.#byContent.set(content, values = new Memo(this.#most));
    return values.get(key, compute);
  }
}
