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
  /** Milliseconds since the Unix epoch, whole. */
  readonly milliseconds: number;
  /** Microseconds beyond them, 0 to 999. */
  readonly microseconds: number;
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?:Z|([+-])(\d{2}):(\d{2}))$/;
const COMMITTER_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:Z|[+-]\d{2}:\d{2})$/;
const DAY_MINUTES = 24 * 60;
/** The calendar repeats after 400 years. */
const FOUR_CENTURIES = 146_097 * 86_400_000;
const FIRST = Date.parse("0001-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

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
  return {
    text: `${year}-${month}-${day}T${hour}:${minute}:${second}${shownFraction}${offset}`,
    milliseconds: time + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 -
      zone * 60_000 * (sign === "-" ? -1 : 1) + Number(micros.slice(0, 3)),
    microseconds: Number(micros.slice(3)),
  };
}

/** Milliseconds of midnight UTC, or `null` for a date that is none or lies in year 0. */
function civilTime(year: number, month: number, day: number): number | null {
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > 31) return null;
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999, so 400 years are added and taken off again.
  const time = Date.UTC(year + 400, month - 1, day);
  const real = day <= 28 || new Date(time).getUTCDate() === day;
  return real ? time - FOUR_CENTURIES : null;
}

function twoDigits(value: number): string {
  return String(Math.floor(value)).padStart(2, "0");
}

/**
 * The instant in UTC at a fixed width of 32 characters (`2026-01-01T00:00:00.000000+00:00`), so
 * that text order is time order; `null` when its year is outside 1 to 9999 in UTC.
 */
export function utcInstantText(instant: Instant): string | null {
  const { milliseconds, microseconds } = instant;
  if (milliseconds < FIRST || milliseconds > LAST) return null;
  const text = new Date(milliseconds).toISOString().slice(0, -1);
  return `${text}${String(microseconds).padStart(3, "0")}+00:00`;
}

/** The UTC text of a committer date as Git prints it (`%cI`), or `null` when it is not usable. */
export function committerInstant(gitDate: string): string | null {
  if (!COMMITTER_DATE.test(gitDate)) return null;
  const instant = parseInstant(gitDate);
  return instant === null ? null : utcInstantText(instant);
}
