/**
 * How many typing errors lie between two words: a letter left out, added, replaced, or two
 * neighbours exchanged.
 *
 * @module
 */

/**
 * The distance of two words when it is at most `limit`, else `limit + 1`. Linear in memory, and ends
 * as soon as the limit is out of reach.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const width = b.length + 1;
  let older = new Uint8Array(width);
  let previous = new Uint8Array(width);
  let current = new Uint8Array(width);
  for (let j = 0; j < width; j++) previous[j] = Math.min(j, 255);
  for (let i = 1; i <= a.length; i++) {
    current[0] = Math.min(i, 255);
    let best = current[0];
    for (let j = 1; j < width; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (
        i > 1 && j > 1 && a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      ) cost = Math.min(cost, older[j - 2]! + 1);
      current[j] = cost;
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    [older, previous, current] = [previous, current, older];
  }
  return Math.min(previous[b.length]!, limit + 1);
}

/** Errors that are forgiven in a word of this length. */
export function forgivenErrors(length: number): number {
  if (length < 4) return 0;
  return length < 8 ? 1 : 2;
}
