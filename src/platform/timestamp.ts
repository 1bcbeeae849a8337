/**
 * Authored timestamps: kept with the author's own offset, compared by instant
 * (corpus-and-migrations.md section 2).
 *
 * @module
 */

/** A parsed timestamp. */
export interface Timestamp {
  /** Stored form: `T`, `+00:00` for `Z`, no fraction or exactly six digits. */
  readonly text: string;
  /** Microseconds since the Unix epoch. */
  readonly instant: bigint;
}

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Texts parsed before: the same few moments are read over and over. */
const parsed = new Map<string, Timestamp | null>();
const MOST_KEPT = 1024;

/**
 * Parses RFC 3339 with a `T` or one space; `null` for everything else: no offset, a date alone, an
 * impossible date, year 0000, second 60, hour 24, an offset of 24 hours or more.
 */
export function parseTimestamp(text: string): Timestamp | null {
  let timestamp = parsed.get(text);
  if (timestamp === undefined) {
    timestamp = parse(text);
    if (parsed.size >= MOST_KEPT) parsed.clear();
    // A longer text is none of ours, and would only fill memory.
    if (text.length < 64) parsed.set(text, timestamp);
  }
  return timestamp;
}

function parse(text: string): Timestamp | null {
  const match = RFC_3339.exec(text);
  if (match === null || text.endsWith("\n")) return null;
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] =
    match;
  const time = new Date(0);
  time.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const valid = Number(year) >= 1 && time.getUTCMonth() === Number(month) - 1 &&
    time.getUTCDate() === Number(day) && Number(hour) <= 23 && Number(minute) <= 59 &&
    Number(second) <= 59 && Number(offsetHour ?? 0) <= 23 && Number(offsetMinute ?? 0) <= 59;
  if (!valid) return null;
  time.setUTCHours(Number(hour), Number(minute), Number(second));
  const micros = (fraction ?? "").slice(0, 6).padEnd(6, "0");
  const offsetMinutes = (Number(offsetHour ?? 0) * 60 + Number(offsetMinute ?? 0)) *
    (sign === "-" ? -1 : 1);
  const offset = offsetMinutes === 0 ? "+00:00" : `${sign}${offsetHour}:${offsetMinute}`;
  const shownFraction = micros === "000000" ? "" : `.${micros}`;
  return {
    text: `${year}-${month}-${day}T${hour}:${minute}:${second}${shownFraction}${offset}`,
    instant: BigInt(time.getTime()) * 1000n + BigInt(micros) -
      BigInt(offsetMinutes) * 60_000_000n,
  };
}

/** Microseconds since the epoch of a stored timestamp; throws `RangeError` on a text that is none. */
export function instantOf(stored: string): bigint {
  const timestamp = parseTimestamp(stored);
  if (timestamp === null) throw new RangeError("Cannot read a stored timestamp");
  return timestamp.instant;
}
