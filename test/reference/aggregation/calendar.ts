import type { Period } from "../../../lib/domain/aggregation/expressions.ts";
import { DAY, HOUR, MINUTE } from "./wall-clock.ts";

/** Units of the calendar, on wall-clock times (see wall-clock.ts). */

/** The Monday of the first week of 1970, from which weeks are counted; all else is counted from 1970-01-01. */
const FIRST_MONDAY = Date.UTC(1969, 11, 29);
const fixed: Readonly<Record<string, number>> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY };

/** So many periods later (earlier, when negative); a month that is too short ends earlier. */
export function later(shown: number, { value, unit }: Period, times = 1): number {
  const length = fixed[unit];
  if (length !== undefined) return shown + length * value * times;
  const months = value * times * (unit === "year" ? 12 : 1);
  const date = new Date(shown);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + months, date.getUTCDate()];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(day, lastDay)) + (((shown % DAY) + DAY) % DAY);
}

/** The begin of the bucket of this length in which a time lies. */
export function truncated(shown: number, period: Period): number {
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

/** The week of the year by ISO 8601: that of its Thursday. */
function isoWeek(shown: number): number {
  const thursday = truncated(shown, { value: 1, unit: "week" }) + 3 * DAY;
  const newYear = Date.UTC(new Date(thursday).getUTCFullYear(), 0, 1);
  return 1 + Math.floor((thursday - newYear) / (7 * DAY));
}

/** One number of a time: hours from 0, days, weeks and months from 1, Monday is 1. */
export function partOf(shown: number, part: string): number {
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
    day_of_year: () => 1 + Math.floor((shown - newYear) / DAY),
  };
  const read = parts[part];
  if (!read) throw new Error(`no part of a date: ${part}`);
  return read();
}
