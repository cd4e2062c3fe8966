import { DAY_MS, MINUTE_MS } from "../../domain/shared/durations.ts";
import { localDate } from "../../domain/summaries/session.ts";

export const QUARTER_HOUR_MS = 15 * MINUTE_MS;

/** The calendar of a time zone. Days are integers since 1970-01-01; instants are epoch milliseconds. */
export interface ZoneCalendar {
  readonly timeZone: string;
  /** Seconds east of UTC at an instant. */
  offsetS(ms: number): number;
  /** The local day of an instant. */
  dayAt(ms: number): number;
  /**
   * The instant of a local time, given as minutes after midnight; negative minutes are on the day before. A local time
   * that a clock change skips maps to the time one hour later.
   */
  instantAt(day: number, minute: number): number;
}

/** Creates the calendar of an IANA time zone. @throws RangeError for an unknown zone. */
export function createZoneCalendar(timeZone: string): ZoneCalendar {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const offsets = new Map<number, number>();

  // Intl is slow, and offsets change at quarter hours only.
  function offsetS(ms: number): number {
    const quarter = Math.floor(ms / QUARTER_HOUR_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const offset = parseOffset(format.formatToParts(quarter * QUARTER_HOUR_MS));
    offsets.set(quarter, offset);
    return offset;
  }

  function instant(day: number, minute: number): number {
    const shown = day * DAY_MS + minute * MINUTE_MS;
    const guess = shown - offsetS(shown) * 1000;
    const better = shown - offsetS(guess) * 1000;
    const isShown = better + offsetS(better) * 1000 === shown;
    return isShown ? better : Math.max(guess, better);
  }

  return { timeZone, offsetS, dayAt: (ms) => Math.floor((ms + offsetS(ms) * 1000) / DAY_MS), instantAt: instant };
}

/** Formats a day as YYYY-MM-DD. */
export function formatDay(day: number): string {
  return localDate(day * DAY_MS, 0);
}

/** Weekday of a day, 0 for Monday to 6 for Sunday. */
export function weekdayOf(day: number): number {
  return (day + 3) % 7;
}

/** Returns true for Saturday and Sunday. */
export function isWeekend(day: number): boolean {
  return weekdayOf(day) >= 5;
}

/** Lists the multiples of `stepMs` from `fromMs` (included) to `untilMs` (excluded). */
export function timeGrid(fromMs: number, untilMs: number, stepMs: number): number[] {
  const first = Math.ceil(fromMs / stepMs);
  const count = Math.max(0, Math.ceil(untilMs / stepMs) - first);
  return Array.from({ length: count }, (_, index) => (first + index) * stepMs);
}

/** Parses "GMT", "GMT+05:45" or "GMT-03:00" to seconds. */
function parseOffset(parts: Intl.DateTimeFormatPart[]): number {
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -60 : 60) || 0;
}
