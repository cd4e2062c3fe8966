import type { Period } from "../../../lib/domain/queries/expressions/expressions.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "./wall-clock.ts";

/** Calendar units on wall-clock times (see wall-clock.ts). */

/** The Monday of the first week of 1970 is the origin of weeks; 1970-01-01 is the origin of other units. */
const FIRST_MONDAY = Date.UTC(1969, 11, 29);
const fixed: Readonly<Record<string, number>> = { minute: MINUTE_MS, hour: HOUR_MS, day: DAY_MS, week: 7 * DAY_MS };

/** Adds periods to a time (subtracts, if negative). A shorter month clamps the day. */
export function addPeriods(shown: number, { value, unit }: Period, times = 1): number {
  const length = fixed[unit];
  if (length !== undefined) return shown + length * value * times;
  const months = value * times * (unit === "year" ? 12 : 1);
  const date = new Date(shown);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (((shown % DAY_MS) + DAY_MS) % DAY_MS);
}

/** The start of the bucket of this length that contains a time. */
export function truncateToPeriod(shown: number, period: Period): number {
  const { value, unit } = period;
  const length = fixed[unit];
  if (length !== undefined) {
    const origin = unit === "week" ? FIRST_MONDAY : 0;
    return origin + Math.floor((shown - origin) / (length * value)) * length * value;
  }
  const date = new Date(shown);
  const months = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  const width = unit === "year" ? 12 * value : value;
  return Date.UTC(1970, Math.floor(months / width) * width, 1);
}

/** The ISO 8601 week of the year: the week of its Thursday. */
function isoWeek(shown: number): number {
  const thursday = truncateToPeriod(shown, { value: 1, unit: "week" }) + 3 * DAY_MS;
  const newYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return 1 + Math.floor((thursday - newYear) / (7 * DAY_MS));
}

/** One part of a time: hours count from 0; days, weeks and months from 1; Monday is 1. */
export function datePart(shown: number, part: string): number {
  const date = new Date(shown);
  const newYear = Date.UTC(date.getUTCFullYear(), 0, 1);
  const parts: Record<string, () => number> = {
    minute: () => date.getUTCMinutes(),
    hour: () => date.getUTCHours(),
    day: () => date.getUTCDate(),
    week: () => isoWeek(shown),
    month: () => date.getUTCMonth() + 1,
    year: () => date.getUTCFullYear(),
    weekday: () => date.getUTCDay() || 7,
    week_of_year: () => isoWeek(shown),
    day_of_year: () => 1 + Math.floor((shown - newYear) / DAY_MS),
  };
  const read = parts[part];
  if (!read) throw new Error(`no part of a date: ${part}`);
  return read();
}
