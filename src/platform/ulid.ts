import { monotonicFactory } from "ulid";
import type { Clock } from "./clock.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** True for an upper-case ULID, matched to the absolute end. */
export function isUlid(text: string): boolean {
  return ULID.test(text) && text.length === 26;
}

/** Mints identifiers that sort in the order they were minted. */
export type UlidSource = () => string;

/** Numbers in [0, 1), from the machine's secure source. */
export function secureRandom(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]! / 2 ** 32;
}

/**
 * Strictly increasing ULIDs: one that would not sort after the previous is the previous plus one,
 * also when the clock steps back (corpus-and-migrations.md section 2).
 */
export function ulidSource(clock: Clock, random: () => number = secureRandom): UlidSource {
  const next = monotonicFactory(random);
  return () => next(clock.now());
}
