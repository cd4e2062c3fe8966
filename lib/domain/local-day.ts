import type { DateRange } from "./date-range.ts";
import { offsetAt } from "./time-zone.ts";

const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 900_000;
const QUARTERS_A_DAY = 96;
/** How far west and east of UTC clocks on Earth are, seconds. */
const WEST_S = -12 * 3600;
const EAST_S = 14 * 3600;

/** Tells on which day, counted from 1970-01-01, an instant (epoch ms) was where clocks were `offsetS` from UTC. */
export type DayOf = (ms: number, offsetS: number) => number;

/**
 * Tells the date and clock time at an instant (epoch ms) where clocks were `offsetS` from UTC, as the epoch ms that would
 * be the same in UTC.
 */
export type FloatingOf = (ms: number, offsetS: number) => number;

/**
 * Date and time where a user is. A sample is shown by its own offset; where it has none (NaN), or one that no clock on
 * Earth shows, by the clocks of the user's fallback time zone at that instant, daylight saving included.
 * @throws RangeError for a time zone that this runtime does not know.
 */
export function localTime(timeZone: string): FloatingOf {
  const offsets = new Map<number, number>();
  let lastQuarter = Number.NaN;
  let lastOffset = 0;

  function ask(quarter: number): number {
    const offset = offsets.get(quarter) ?? offsetAt(timeZone, quarter * QUARTER_HOUR_MS);
    offsets.set(quarter, offset);
    return offset;
  }

  // Asking for each sample would be slow. Clocks change at a full quarter of an hour, and no zone of the IANA database
  // has ever changed, or is to change, twice within three days: what holds at both ends of a day holds all day.
  function zoneOffset(ms: number): number {
    const quarter = Math.floor(ms / QUARTER_HOUR_MS);
    if (quarter === lastQuarter) return lastOffset;
    const midnight = Math.floor(quarter / QUARTERS_A_DAY) * QUARTERS_A_DAY;
    const offset = ask(midnight);
    lastOffset = offset === ask(midnight + QUARTERS_A_DAY) ? offset : ask(quarter);
    lastQuarter = quarter;
    return lastOffset;
  }

  return (ms, offsetS) => {
    const isOnEarth = offsetS >= WEST_S && offsetS <= EAST_S;
    return ms + (isOnEarth ? offsetS : zoneOffset(ms)) * 1000;
  };
}

/** The days of a user: those of {@link localTime}. */
export function localDays(timeZone: string): DayOf {
  const floating = localTime(timeZone);
  return (ms, offsetS) => Math.floor(floating(ms, offsetS) / DAY_MS);
}

/** All instants that are on one of the days from `first` to `last` anywhere on Earth. */
export function instantsOf(first: number, last: number): DateRange {
  return { fromMs: first * DAY_MS - EAST_S * 1000, toMs: (last + 1) * DAY_MS - WEST_S * 1000 - 1 };
}

/** The date of a day, YYYY-MM-DD. */
export function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The day of a date. */
export function dayOfDate(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** Days from `first` to `last`. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
}

/** The spans, ascending, that hold these days; days no further than `apart` from one another are in one. */
export function spansOf(days: readonly number[], apart: number): DaySpan[] {
  const spans: DaySpan[] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const before = spans.at(-1);
    if (before && day - before.last <= apart) spans[spans.length - 1] = { first: before.first, last: day };
    else spans.push({ first: day, last: day });
  }
  return spans;
}
