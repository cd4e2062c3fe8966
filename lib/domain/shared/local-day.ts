import type { DateRange } from "./date-range.ts";
import { DAY_MS } from "./durations.ts";
import { utcOffsetAt } from "./time-zone.ts";

const QUARTER_HOUR_MS = 900_000;
const QUARTERS_A_DAY = 96;
/** Range of offsets from UTC that clocks on Earth use, seconds. */
const MIN_UTC_OFFSET_S = -12 * 3600;
const MAX_UTC_OFFSET_S = 14 * 3600;

/** Returns the local day, counted from 1970-01-01, of an instant (epoch ms) at an offset of `offsetS` from UTC. */
export type ToLocalDay = (ms: number, offsetS: number) => number;

/**
 * Returns floating time: the local date and clock time of an instant (epoch ms) at an offset of `offsetS` from UTC, as
 * epoch ms as if the clock showed UTC.
 */
export type ToFloatingTime = (ms: number, offsetS: number) => number;

/**
 * Creates a converter to the user's local time. It uses the offset of the sample. Without an offset (NaN), or with one
 * that no clock on Earth shows, it uses the user's fallback time zone at that instant, including daylight saving.
 * @throws RangeError for a time zone that the runtime does not know.
 */
export function floatingTimeConverter(timeZone: string): ToFloatingTime {
  const offsets = new Map<number, number>();
  let lastQuarter = Number.NaN;
  let lastOffset = 0;

  function ask(quarter: number): number {
    const offset = offsets.get(quarter) ?? utcOffsetAt(timeZone, quarter * QUARTER_HOUR_MS);
    offsets.set(quarter, offset);
    return offset;
  }

  // Cached, because a lookup per sample is slow. Clocks change at a full quarter of an hour, and no IANA zone has ever
  // changed, or is scheduled to change, twice within three days. So an offset that holds at both ends of a day holds
  // all day.
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
    const isOnEarth = offsetS >= MIN_UTC_OFFSET_S && offsetS <= MAX_UTC_OFFSET_S;
    return ms + (isOnEarth ? offsetS : zoneOffset(ms)) * 1000;
  };
}

/** Creates a converter to the user's local days, based on {@link floatingTimeConverter}. */
export function localDayConverter(timeZone: string): ToLocalDay {
  const floating = floatingTimeConverter(timeZone);
  return (ms, offsetS) => Math.floor(floating(ms, offsetS) / DAY_MS);
}

/** The range of all instants that fall on a day from `first` to `last` anywhere on Earth. */
export function instantsOfDays(first: number, last: number): DateRange {
  return { fromMs: first * DAY_MS - MAX_UTC_OFFSET_S * 1000, toMs: (last + 1) * DAY_MS - MIN_UTC_OFFSET_S * 1000 - 1 };
}

/** Converts a day number to a date, YYYY-MM-DD. */
export function dayToDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Converts a date to a day number. */
export function dateToDay(date: string): number {
  return Date.parse(date) / DAY_MS;
}

/** A range of days, both ends inclusive. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
}

/** Groups days into ascending ranges. Days at most `apart` days from each other share a range. */
export function groupDays(days: readonly number[], apart: number): DayRange[] {
  const spans: DayRange[] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const before = spans.at(-1);
    if (before && day - before.last <= apart) spans[spans.length - 1] = { first: before.first, last: day };
    else spans.push({ first: day, last: day });
  }
  return spans;
}
