import { DAY_MS, MINUTE_MS } from "../shared/durations.ts";
import { dateToDay, dayToDate } from "../shared/local-day.ts";
import { utcOffsetAt } from "../shared/time-zone.ts";

/**
 * Converts a local time of a zone to an instant, epoch ms. A skipped local time uses the offset before the gap; an
 * ambiguous local time is the earlier instant.
 * @param minutes minutes since midnight, local time.
 */
export function instantAt(zone: string, date: string, minutes: number): number {
  const asUtc = Date.parse(date) + minutes * MINUTE_MS;
  const first = asUtc - utcOffsetAt(zone, asUtc - DAY_MS) * 1000;
  const second = asUtc - utcOffsetAt(zone, asUtc + DAY_MS) * 1000;
  const shows = (instant: number) => instant + utcOffsetAt(zone, instant) * 1000 === asUtc;
  return [first, second].find(shows) ?? first;
}

/** The local day of an instant (epoch ms) in a zone, counted from 1970-01-01. */
export const localDayAt = (zone: string, instantMs: number): number =>
  Math.floor((instantMs + utcOffsetAt(zone, instantMs) * 1000) / DAY_MS);

/** Converts an instant (epoch ms) to the local date of a zone and the minutes since midnight. */
export function clockAt(zone: string, instantMs: number): { readonly date: string; readonly minutes: number } {
  const local = instantMs + utcOffsetAt(zone, instantMs) * 1000;
  const day = localDayAt(zone, instantMs);
  return { date: dayToDate(day), minutes: Math.floor((local - day * DAY_MS) / MINUTE_MS) };
}

/** The local date (YYYY-MM-DD) of an ISO instant in a zone; in UTC without a zone. */
export const localDateAt = (zone: string | null, instant: string): string =>
  dayToDate(localDayAt(zone ?? "UTC", Date.parse(instant)));

/** Lists consecutive dates from a start date, YYYY-MM-DD. */
export function datesFrom(date: string, days: number): string[] {
  const first = dateToDay(date);
  return Array.from({ length: days }, (_, after) => dayToDate(first + after));
}
