import { DAY_MS, HOUR_MS, MINUTE_MS } from "../shared/durations.ts";
import type { GroupItem, Period } from "./expressions/expressions.ts";

/** Floating time: the user's local date and clock time as epoch milliseconds, as if the clock showed UTC. */

const WEEK_MS = 7 * DAY_MS;
/** 1969-12-29, the Monday that weeks are counted from. */
const FIRST_MONDAY_MS = -3 * DAY_MS;
const MONTHS = 12;
const EPOCH_YEAR = 1970;

type DatePart = Extract<GroupItem, { date_part: unknown }>["date_part"];

const fixedUnitMs = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: WEEK_MS } as const;
const monthsIn = { month: 1, year: MONTHS } as const;

const hasFixedLength = (unit: Period["unit"]): unit is keyof typeof fixedUnitMs => unit in fixedUnitMs;
const monthIndex = (date: Date) => (date.getUTCFullYear() - EPOCH_YEAR) * MONTHS + date.getUTCMonth();
const startOfMonth = (month: number) => Date.UTC(EPOCH_YEAR, month, 1);

/**
 * Returns a function that gives the start of the time group of an instant. Groups count from 1970-01-01, weeks from the
 * Monday before it, months and years from January 1970. So groups do not depend on the timeframe of a query.
 */
export function truncate({ value, unit }: Period): (ms: number) => number {
  if (hasFixedLength(unit)) {
    const size = value * fixedUnitMs[unit];
    const origin = unit === "week" ? FIRST_MONDAY_MS : 0;
    return (ms) => Math.floor((ms - origin) / size) * size + origin;
  }
  const size = value * monthsIn[unit];
  return (ms) => startOfMonth(Math.floor(monthIndex(new Date(ms)) / size) * size);
}

/** Adds a period, or subtracts it for sign -1. Clamps to the last day of the month when the month has no such day. */
export function addPeriod(ms: number, { value, unit }: Period, sign: 1 | -1 = 1): number {
  if (hasFixedLength(unit)) return ms + sign * value * fixedUnitMs[unit];
  const date = new Date(ms);
  const month = monthIndex(date) + sign * value * monthsIn[unit];
  const days = (startOfMonth(month + 1) - startOfMonth(month)) / DAY_MS;
  const timeMs = ms - Math.floor(ms / DAY_MS) * DAY_MS;
  return startOfMonth(month) + (Math.min(date.getUTCDate(), days) - 1) * DAY_MS + timeMs;
}

/** ISO 8601 week of the year: week 1 contains 4 January. */
function isoWeek(ms: number): number {
  const thursday = Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS + 3 * DAY_MS;
  return Math.floor((thursday - Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1)) / WEEK_MS) + 1;
}

const parts: Readonly<Record<DatePart, (ms: number) => number>> = {
  minute: (ms) => new Date(ms).getUTCMinutes(),
  hour: (ms) => new Date(ms).getUTCHours(),
  day: (ms) => new Date(ms).getUTCDate(),
  week: isoWeek,
  month: (ms) => new Date(ms).getUTCMonth() + 1,
  year: (ms) => new Date(ms).getUTCFullYear(),
  weekday: (ms) => (((Math.floor((ms - FIRST_MONDAY_MS) / DAY_MS) % 7) + 7) % 7) + 1,
  week_of_year: isoWeek,
  day_of_year: (ms) => Math.floor((ms - Date.UTC(new Date(ms).getUTCFullYear(), 0, 1)) / DAY_MS) + 1,
};

/** Returns a function that extracts a component of a time. Weekdays are 1 (Monday) to 7; weeks follow ISO 8601. */
export const extractDatePart = (part: DatePart): ((ms: number) => number) => parts[part];

/** Formats floating time as YYYY-MM-DDTHH:mm:ss, with milliseconds only when they are not zero. */
export function formatFloating(ms: number): string {
  const text = new Date(ms).toISOString();
  return text.slice(0, text.endsWith(".000Z") ? -5 : -1);
}

/** Parses a date, or a date-time without offset, to floating time. NaN for anything else. */
export const parseFloating = (text: string): number => Date.parse(`${text.length > 10 ? text : `${text}T00:00`}Z`);
