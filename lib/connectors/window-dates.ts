import type { Window } from "./connector.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Pads month and day of a date to two digits. */
export const paddedDate = (date: string): string =>
  date.replace(/^(\d{4})-(\d{1,2})-(\d{1,2})$/, (_, year: string, month: string, day: string) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
  );

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** First and last local date of a window. The last date is one day later than in UTC, to cover zones east of UTC. */
export function datesOf({ startMs, endMs }: Window): { readonly first: string; readonly last: string } {
  return { first: dateOf(startMs), last: dateOf(endMs - 1 + DAY_MS) };
}

/** Lists every date of a window in order. */
export function eachDate(window: Window): string[] {
  const { first, last } = datesOf(window);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => dateOf(Date.parse(first) + index * DAY_MS));
}

/** The window that covers a local date in every time zone (UTC-12 to UTC+14). */
export function windowOfDate(date: string): Window {
  const startMs = Date.parse(date);
  return { startMs: startMs - 14 * HOUR_MS, endMs: startMs + DAY_MS + 12 * HOUR_MS };
}
