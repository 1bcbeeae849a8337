/**
 * What a soak notes: counts, times, what the daemon holds, and everything that was wrong.
 *
 * @module
 */

import { type Holdings, holdingsOf } from "../tests/hostile/neighbour.ts";

/** Ten seconds of a soak. */
export interface Interval {
  /** Seconds since the beginning. */
  readonly at: number;
  readonly calls: number;
  /** Milliseconds. */
  readonly median: number;
  readonly worst: number;
  readonly memoryMiB: number;
  readonly descriptors: number;
}

/** How a load went. */
export interface LoadReport {
  readonly seconds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly median: number;
  readonly p99: number;
  readonly worst: number;
  readonly intervals: readonly Interval[];
  /** Medians of the second and of the last sixth of the time. */
  readonly memoryMiB: readonly [number, number];
  readonly descriptors: readonly [number, number];
  readonly exit: number;
  readonly logLines: number;
  readonly wrong: readonly string[];
}

/** Growth that would be a leak: a quarter of what was held, and 48 MiB at least. */
const GROWTH = { share: 0.25, mib: 48, descriptors: 8 };

/** Collects. */
export class LoadWatch {
  readonly #pid: number;
  readonly #begun = performance.now();
  readonly #counts: Record<string, number> = {};
  readonly #wrong: string[] = [];
  readonly #intervals: Interval[] = [];
  readonly #all: number[] = [];
  #recent: number[] = [];

  constructor(pid: number) {
    this.#pid = pid;
  }

  count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }

  wrong(what: string): void {
    if (this.#wrong.length < 100) this.#wrong.push(`${this.#elapsed()} s: ${what.slice(0, 500)}`);
  }

  took(milliseconds: number): void {
    this.#recent.push(milliseconds);
  }

  sample(): Interval {
    const times = this.#recent.sort((a, b) => a - b);
    this.#recent = [];
    this.#all.push(...times);
    const { memory, descriptors }: Holdings = holdingsOf(this.#pid) ?? {
      memory: 0,
      descriptors: 0,
    };
    const interval = {
      at: this.#elapsed(),
      calls: times.length,
      median: rounded(times[times.length >> 1] ?? 0),
      worst: rounded(times.at(-1) ?? 0),
      memoryMiB: Math.round(memory / 2 ** 20),
      descriptors,
    };
    this.#intervals.push(interval);
    return interval;
  }

  report(seconds: number, exit: number, log: string): LoadReport {
    const times = this.#all.sort((a, b) => a - b);
    const logLines = log.split("\n").filter((line) => line !== "").length;
    const memoryMiB = this.#sixths(({ memoryMiB }) => memoryMiB);
    const descriptors = this.#sixths((interval) => interval.descriptors);
    const allowed = Math.max(GROWTH.mib, memoryMiB[0] * GROWTH.share);
    if (memoryMiB[1] - memoryMiB[0] > allowed) this.wrong("memory grew");
    if (descriptors[1] - descriptors[0] > GROWTH.descriptors) this.wrong("descriptors grew");
    if (exit !== 0) this.wrong(`the daemon ended with ${exit}`);
    if (logLines > 0) this.wrong(`the daemon logged ${log.slice(0, 300)}`);
    return {
      seconds,
      counts: this.#counts,
      calls: times.length,
      median: rounded(times[times.length >> 1] ?? 0),
      p99: rounded(times[Math.floor(times.length * 0.99)] ?? 0),
      worst: rounded(times.at(-1) ?? 0),
      intervals: this.#intervals,
      memoryMiB,
      descriptors,
      exit,
      logLines,
      wrong: this.#wrong,
    };
  }

  #sixths(of: (interval: Interval) => number): [number, number] {
    const size = Math.max(1, Math.floor(this.#intervals.length / 6));
    const middle = (some: readonly Interval[]) =>
      some.map(of).sort((a, b) => a - b)[some.length >> 1] ?? 0;
    return [middle(this.#intervals.slice(size, 2 * size)), middle(this.#intervals.slice(-size))];
  }

  #elapsed(): number {
    return Math.round((performance.now() - this.#begun) / 1000);
  }
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
