/** Where the present comes from. Passed in, so that every answer can be reproduced in a test. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** UTC text with six fraction digits and an offset, as our own times are published. */
export function utcText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "000+00:00");
}
