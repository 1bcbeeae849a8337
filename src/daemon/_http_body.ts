import type { ConnectionBytes } from "./_connection_bytes.ts";
import { type Framing, latin1Text } from "./_http_head.ts";

const LINE_END = new Uint8Array([13, 10]);
/** Longest line of a chunk's size, extensions included, and most lines behind the last chunk. */
const LINE_BYTES = 1024;
const TRAILER_LINES = 32;

/** Who watches a body being read. */
export interface BodyWatch {
  /** Called once, when somebody asks for the body, before anything of it is awaited. */
  readonly begin: () => void | Promise<void>;
  /** Called once, when all of it was read. */
  readonly end: () => void;
}

/** The body of one request. Reads only as far as it is asked; a body that lies about itself throws. */
export class RequestBody implements AsyncIterable<Uint8Array> {
  readonly #bytes: ConnectionBytes;
  readonly #framing: Framing;
  readonly #watch: BodyWatch;
  #begun = false;
  #told = false;
  #ended: boolean;

  constructor(bytes: ConnectionBytes, framing: Framing, watch: BodyWatch) {
    this.#bytes = bytes;
    this.#framing = framing;
    this.#watch = watch;
    this.#ended = framing.kind === "none" || framing.kind === "length" && framing.bytes === 0;
  }

  /** True when every byte of it was read. */
  get ended(): boolean {
    return this.#ended;
  }

  /** True once somebody asked for it. */
  get begun(): boolean {
    return this.#begun;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    if (this.#begun) return;
    this.#begun = true;
    await this.#watch.begin();
    if (this.#framing.kind === "length") yield* this.#take(this.#framing.bytes);
    if (this.#framing.kind === "chunked") yield* this.#chunks();
    this.#end();
  }

  #end(): void {
    this.#ended = true;
    if (!this.#told) this.#watch.end();
    this.#told = true;
  }

  async *#take(count: number): AsyncGenerator<Uint8Array, void> {
    for (let left = count; left > 0;) {
      const some = await this.#bytes.takeSome(left);
      if (some === null) throw new TypeError("The body ended early");
      left -= some.length;
      // Whoever has all the bytes that were announced does not ask for the end.
      if (left === 0 && this.#framing.kind === "length") this.#end();
      yield some;
    }
  }

  async *#chunks(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const size = /^([0-9a-f]{1,8})[ \t]*(?:;[^\0]*)?$/i.exec(await this.#line());
      if (size === null) throw new TypeError("A chunk has no size");
      const count = parseInt(size[1]!, 16);
      if (count === 0) break;
      yield* this.#take(count);
      if (await this.#line() !== "") throw new TypeError("A chunk is longer than it says");
    }
    for (let lines = 0; await this.#line() !== "";) {
      if (++lines > TRAILER_LINES) throw new TypeError("The trailer is too long");
    }
  }

  async #line(): Promise<string> {
    const line = await this.#bytes.takeUntil(LINE_END, LINE_BYTES);
    if (line === null || line === "too-long") throw new TypeError("A line of the body has no end");
    return latin1Text(line);
  }
}
