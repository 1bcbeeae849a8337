/**
 * Instants of review knowledge: a civil time with an offset below 24 hours whose minutes may pass
 * 59, as Git prints it for a damaged zone (review.md 2 and 5, "Instant").
 *
 * @module
 */

/** A civil time with its offset. */
export interface Instant {
  /** `YYYY-MM-DDThh:mm:ss`, `.ffffff` when not zero, `±hh:mm`; `Z` and `-00:00` are `+00:00`. */
  readonly text: string;
  /** Microseconds since the Unix epoch. */
  readonly micros: bigint;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const COMMITTER_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/;
const DAY_MINUTES = 24 * 60;
const FIRST_MICROS = BigInt(Date.parse("0001-01-01T00:00:00Z")) * 1000n;
const LAST_MICROS = BigInt(Date.parse("9999-12-31T23:59:59Z")) * 1000n + 999_999n;

/**
 * Reads an instant; `null` for everything else: no offset, a date alone, a week date, lower-case
 * `z`, hour 24, second 60, 30 February, year 0. A fraction is cut to six digits, not rounded.
 */
export function parseInstant(text: string): Instant | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [
    ,
    year,
    month,
    day,
    hour,
    minute,
    second = "00",
    fraction = "",
    sign,
    zoneHour,
    zoneMinute,
  ] = match;
  const time = civilTime(Number(year), Number(month), Number(day));
  if (time === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const zone = zoneHour === undefined ? 0 : Number(zoneHour) * 60 + Number(zoneMinute);
  if (zone >= DAY_MINUTES) return null;
  const micros = fraction.slice(0, 6).padEnd(6, "0");
  const offset = zone === 0 ? "+00:00" : `${sign}${twoDigits(zone / 60)}:${twoDigits(zone % 60)}`;
  const shownFraction = micros === "000000" ? "" : `.${micros}`;
  const milliseconds = time + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 -
    zone * 60_000 * (sign === "-" ? -1 : 1);
  return {
    text: `${year}-${month}-${day}T${hour}:${minute}:${second}${shownFraction}${offset}`,
    micros: BigInt(milliseconds) * 1000n + BigInt(micros),
  };
}

/** Milliseconds of midnight UTC, or `null` for a date that is none or lies in year 0. */
function civilTime(year: number, month: number, day: number): number | null {
  const time = new Date(0);
  time.setUTCFullYear(year, month - 1, day);
  const real = year >= 1 && time.getUTCMonth() === month - 1 && time.getUTCDate() === day;
  return real ? time.getTime() : null;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

/**
 * The instant in UTC at a fixed width of 32 characters (`2026-01-01T00:00:00.000000+00:00`), so
 * that text order is time order; `null` when its year is outside 1 to 9999 in UTC.
 */
export function utcInstantText(micros: bigint): string | null {
  if (micros < FIRST_MICROS || micros > LAST_MICROS) return null;
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  return `${seconds}.${rest.toString().padStart(6, "0")}+00:00`;
}

/** The UTC text of a committer date as Git prints it (`%cI`), or `null` when it is not usable. */
export function committerInstant(gitDate: string): string | null {
  if (!COMMITTER_DATE.test(gitDate)) return null;
  const instant = parseInstant(gitDate);
  return instant === null ? null : utcInstantText(instant.micros);
}
