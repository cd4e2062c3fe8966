import { DAY_MS, HOUR_MS } from "../domain/shared/durations.ts";
import type { TimeWindow } from "./connector.ts";

/** Pads month and day of a date to two digits. */
export const padDate = (date: string): string =>
  date.replace(/^(\d{4})-(\d{1,2})-(\d{1,2})$/, (_, year: string, month: string, day: string) =>
    [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
  );

const formatDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** First and last local date of a window. The last date is one day later than in UTC, to cover zones east of UTC. */
export function windowDates({ startMs, endMs }: TimeWindow): { readonly first: string; readonly last: string } {
  return { first: formatDate(startMs), last: formatDate(endMs - 1 + DAY_MS) };
}

/** Lists every date of a window in order. */
export function listDates(window: TimeWindow): string[] {
  const { first, last } = windowDates(window);
  const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => formatDate(Date.parse(first) + index * DAY_MS));
}

/** A margin in which each local day that overlaps a window begins and ends, also if clocks change. */
const WHOLE_DAYS_MARGIN_MS = 36 * HOUR_MS;

/** Widens a window so that each local day that overlaps it is whole, for records of a day that need all its data. */
export const widenToWholeDays = ({ startMs, endMs }: TimeWindow): TimeWindow => ({
  startMs: startMs - WHOLE_DAYS_MARGIN_MS,
  endMs: endMs + WHOLE_DAYS_MARGIN_MS,
});

/** Whether the local day of an instant overlaps a window. @param offsetS UTC offset; null counts as UTC. */
export function isDayWithin(ms: number, offsetS: number | null | undefined, { startMs, endMs }: TimeWindow): boolean {
  const offsetMs = (offsetS ?? 0) * 1000;
  const begin = Math.floor((ms + offsetMs) / DAY_MS) * DAY_MS - offsetMs;
  return begin < endMs && begin + DAY_MS > startMs;
}

/** The window that covers a local date in every time zone (UTC-12 to UTC+14). */
export function windowForDate(date: string): TimeWindow {
  const startMs = Date.parse(date);
  return { startMs: startMs - 14 * HOUR_MS, endMs: startMs + DAY_MS + 12 * HOUR_MS };
}
