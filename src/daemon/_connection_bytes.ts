/** Where bytes come from: a connection, or a test. `null` is the end. */
export interface ByteSource {
  read(buffer: Uint8Array): Promise<number | null>;
}

const CR = 13;
const LF = 10;
const SMALL_READ = 8 * 1024;
const LARGE_READ = 64 * 1024;

/** What a connection has sent and nobody has taken yet. */
export class ConnectionBytes {
  readonly #source: ByteSource;
  #pending = new Uint8Array();

  constructor(source: ByteSource) {
    this.#source = source;
  }

  /** True when bytes arrived that nobody took. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Waits for a first byte; false at the end. */
  async wait(): Promise<boolean> {
    return this.hasPending || await this.#more(SMALL_READ);
  }

  /**
   * Takes what stands before `mark`, and the mark. `null` when the connection ends before it comes,
   * `"too-long"` when `limit` bytes did not hold it.
   */
  async takeUntil(mark: Uint8Array, limit: number): Promise<Uint8Array | null | "too-long"> {
    let from = 0;
    for (;;) {
      const at = indexOf(this.#pending, mark, from);
      if (at > limit) return "too-long";
      if (at >= 0) {
        const taken = this.#pending.subarray(0, at);
        this.#pending = this.#pending.subarray(at + mark.length);
        return taken;
      }
      if (this.#pending.length > limit) return "too-long";
      from = Math.max(0, this.#pending.length - mark.length + 1);
      if (!await this.#more(SMALL_READ)) return null;
    }
  }

  /** Takes at least one byte and at most `limit`; `null` at the end. */
  async takeSome(limit: number): Promise<Uint8Array | null> {
    if (!this.hasPending && !await this.#more(LARGE_READ)) return null;
    const taken = this.#pending.subarray(0, limit);
    this.#pending = this.#pending.subarray(taken.length);
    return taken;
  }

  /** Drops one empty line, as some clients send behind a body. */
  skipEmptyLine(): void {
    if (this.#pending[0] === CR && this.#pending[1] === LF) {
      this.#pending = this.#pending.subarray(2);
    }
  }

  async #more(size: number): Promise<boolean> {
    const buffer = new Uint8Array(size);
    const count = await this.#source.read(buffer);
    if (count === null) return false;
    const read = buffer.subarray(0, count);
    this.#pending = this.hasPending ? joined(this.#pending, read) : read;
    return true;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}

function indexOf(bytes: Uint8Array, mark: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(mark[0]!, from); at >= 0; at = bytes.indexOf(mark[0]!, at + 1)) {
    if (at + mark.length > bytes.length) return -1;
    if (mark.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  return -1;
}
