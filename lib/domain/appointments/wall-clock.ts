import { dateOf, dayOfDate } from "../local-day.ts";
import { offsetAt } from "../time-zone.ts";

const MINUTE_MS = 60_000;

/**
 * The instant (epoch ms) at which the clocks of a zone show a time of a day. @param minutes since midnight by the clock.
 * A time that clocks skip counts by the offset before they do; one that they show twice is the first of both.
 */
export function instantAt(zone: string, date: string, minutes: number): number {
  const asUtc = Date.parse(date) + minutes * MINUTE_MS;
  const first = asUtc - offsetAt(zone, asUtc - DAY_MS) * 1000;
  const second = asUtc - offsetAt(zone, asUtc + DAY_MS) * 1000;
  const shows = (instant: number) => instant + offsetAt(zone, instant) * 1000 === asUtc;
  return [first, second].find(shows) ?? first;
}

const DAY_MS = 86_400_000;

/** The date and the minutes since midnight that the clocks of a zone show at an instant (epoch ms). */
export function clockAt(zone: string, instantMs: number): { readonly date: string; readonly minutes: number } {
  const local = instantMs + offsetAt(zone, instantMs) * 1000;
  const day = Math.floor(local / DAY_MS);
  return { date: dateOf(day), minutes: Math.floor((local - day * DAY_MS) / MINUTE_MS) };
}

/** The dates of some days from one on, YYYY-MM-DD. */
export function datesFrom(date: string, days: number): string[] {
  const first = dayOfDate(date);
  return Array.from({ length: days }, (_, after) => dateOf(first + after));
}
