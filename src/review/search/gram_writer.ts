import { BUCKETS, encodePostings, GramReader } from "./grams.ts";

/** Pairs of bucket and record that are held before they are written out. */
const SEGMENT_PAIRS = 4_000_000;

/**
 * Collects which records hold which pieces and hands them out in segments, so that memory stays
 * bounded whatever the corpus. Records are added in ascending order of their number.
 */
export class GramWriter {
  readonly #reader = new GramReader();
  readonly #write: (bucket: number, segment: number, postings: Uint8Array) => void;
  /** The last record (plus one) that was counted in a bucket. */
  readonly #seen = new Uint32Array(BUCKETS);
  #buckets = new Uint32Array(64 * 1024);
  #records = new Uint32Array(64 * 1024);
  #pairs = 0;
  #segment = 0;

  constructor(write: (bucket: number, segment: number, postings: Uint8Array) => void) {
    this.#write = write;
  }

  /** Adds a record's texts. */
  add(record: number, texts: readonly { readonly content: string }[]): void {
    const mark = record + 1;
    const seen = this.#seen;
    for (const { content } of texts) {
      const buckets = this.#reader.read(content);
      while (this.#pairs + buckets.length > this.#buckets.length) this.#grow();
      let pairs = this.#pairs;
      for (let i = 0; i < buckets.length; i++) {
        const bucket = buckets[i]!;
        if (seen[bucket] === mark) continue;
        seen[bucket] = mark;
        this.#buckets[pairs] = bucket;
        this.#records[pairs++] = record;
      }
      this.#pairs = pairs;
    }
    if (this.#pairs >= SEGMENT_PAIRS) this.flush();
  }

  /** Writes out what is held. */
  flush(): void {
    const starts = new Uint32Array(BUCKETS + 1);
    for (let i = 0; i < this.#pairs; i++) starts[this.#buckets[i]! + 1]!++;
    for (let bucket = 0; bucket < BUCKETS; bucket++) starts[bucket + 1]! += starts[bucket]!;
    const next = starts.slice();
    const sorted = new Uint32Array(this.#pairs);
    for (let i = 0; i < this.#pairs; i++) {
      sorted[next[this.#buckets[i]!]!++] = this.#records[i]!;
    }
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const start = starts[bucket]!;
      const end = starts[bucket + 1]!;
      if (end > start) this.#write(bucket, this.#segment, encodePostings(sorted, start, end));
    }
    this.#pairs = 0;
    this.#segment++;
  }

  #grow(): void {
    const wider = (old: Uint32Array) => {
      const grown = new Uint32Array(old.length * 2);
      grown.set(old);
      return grown;
    };
    this.#buckets = wider(this.#buckets);
    this.#records = wider(this.#records);
  }
}
