/**
 * Numbers drawn from repeated measurements.
 *
 * @module
 */

/** The value that a share of the samples does not exceed; `NaN` without samples. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** The middle of the samples, between two of them when their number is even. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length % 2 === 1) return sorted[middle]!;
  return sorted.length === 0 ? NaN : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Who is measured. */
export type SideName = "ours" | "peer";

/** Values of both sides, round by round. */
export type Samples = Readonly<Record<SideName, readonly number[]>>;

/** Values of one measure in the order of the rounds they were taken in. */
export interface Measure {
  readonly name: string;
  readonly unit: "ms" | "MB" | "1/s";
  readonly ours: readonly number[];
  /** Round by round beside `ours`; empty without a peer. */
  readonly peer: readonly number[];
  /** Processor time of one repetition in milliseconds, the mean of all: what others run counts less. */
  readonly processor?: Readonly<Record<SideName, number>>;
  /** Least ratio that is aimed at. */
  readonly target?: number;
}

/** How many times better ours is: the middle round, and the worst and the best one. */
export interface Ratio {
  readonly middle: number;
  readonly least: number;
  readonly most: number;
}

/** Compares round with round, so that a busy moment of the machine meets both sides. */
export function ratioOf({ ours, peer, unit }: Measure): Ratio | null {
  if (peer.length === 0) return null;
  const ratios = peer.flatMap((theirs, i) =>
    ours[i] === undefined ? [] : [unit === "1/s" ? ours[i] / theirs : theirs / ours[i]]
  );
  const [left, right] = unit === "1/s" ? [ours, peer] : [peer, ours];
  return {
    middle: median(left) / median(right),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
  };
}
