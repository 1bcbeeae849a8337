/** A run as long as this may be a token of no known family. */
export const SHORTEST_ENTROPIC_RUN = 32;
const LEAST_BITS = 4;
const ULIDS = /[0-7][0-9A-HJKMNP-TV-Z]{25}/g;

/**
 * True when a run of token characters looks drawn at random: upper case, lower case and a digit, long
 * and varied enough once every ULID is taken out, which keeps our own file names from being reported
 * (index-build.md 8.2).
 */
export function looksRandom(run: string): boolean {
  const rest = run.replace(ULIDS, "");
  return rest.length >= SHORTEST_ENTROPIC_RUN && /[A-Z]/.test(rest) && /[a-z]/.test(rest) &&
    /[0-9]/.test(rest) && entropy(rest) >= LEAST_BITS;
}

/** Shannon entropy of the characters' own frequencies, in bits. */
function entropy(ascii: string): number {
  const counts = new Uint32Array(128);
  for (let i = 0; i < ascii.length; i++) counts[ascii.charCodeAt(i)]!++;
  let bits = 0;
  for (const count of counts) {
    if (count > 0) bits -= (count / ascii.length) * Math.log2(count / ascii.length);
  }
  return bits;
}
