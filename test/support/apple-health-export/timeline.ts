/** An interval in which the phone shows one UTC offset. */
type Period = { fromMs: number; offsetS: number; zone: string };

/** The days of an export and the UTC offset at each instant: daylight saving at home, other zones on trips. */
export type Timeline = {
  days: number;
  /** The time of the export: two hours after the end of the last day. */
  exportMs: number;
  /** UTC time of the local midnight that starts day `day` (0 = first); valid up to and including `days`. */
  dayStart(day: number): number;
  /** UTC time of a position in days (2.5 = noon of the third day), whole seconds. */
  moment(position: number): number;
  offsetAt(ms: number): number;
  zoneAt(ms: number): string;
  /** A time as the Health app writes it: `2024-03-05 07:12:33 +0100`. */
  format(ms: number): string;
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const HOME = "Europe/Berlin";
const TRIPS = [
  { zone: "America/Phoenix", offsetS: -7 * 3600 },
  { zone: "Asia/Kolkata", offsetS: 5.5 * 3600 },
];

/**
 * Creates the timeline of `days` local days that ends at `endDate` (`YYYY-MM-DD`).
 * @throws RangeError for an invalid date.
 */
export function createTimeline(endDate: string, days: number): Timeline {
  const lastDay = Date.parse(`${endDate}T00:00:00Z`);
  if (Number.isNaN(lastDay)) throw new RangeError(`endDate is not a YYYY-MM-DD date: ${endDate}`);
  const dates = Array.from({ length: days + 1 }, (_, day) => lastDay - (days - 1 - day) * DAY_MS);
  const starts = dates.map((date, day) => date - zoneOfDay(date, day).offsetS * 1000);
  const periodAt = createPeriodFinder(dates.flatMap(periodsOfDay));
  return {
    days,
    exportMs: starts[days]! + 2 * HOUR_MS,
    dayStart: (day) => starts[day]!,
    moment: (position) => {
      const day = Math.min(Math.floor(position), days - 1);
      const start = starts[day]!;
      // A share of the day's real length, so that short and long days neither overlap nor leave gaps.
      const ms = start + (position - day) * (starts[day + 1]! - start);
      return Math.floor(ms / 1000) * 1000;
    },
    offsetAt: (ms) => periodAt(ms).offsetS,
    zoneAt: (ms) => periodAt(ms).zone,
    format: createFormatter((ms) => periodAt(ms).offsetS),
  };
}

function periodsOfDay(date: number, day: number): Period[] {
  const { zone, offsetS } = zoneOfDay(date, day);
  const morning = { fromMs: date - offsetS * 1000, offsetS, zone };
  const changed = homeOffset(date + 2 * HOUR_MS);
  return zone === HOME && changed !== offsetS
    ? [morning, { fromMs: date + HOUR_MS, offsetS: changed, zone }]
    : [morning];
}

/** Five of every forty days are abroad, in zones without daylight saving. `date` is midnight UTC of the day. */
function zoneOfDay(date: number, day: number): { zone: string; offsetS: number } {
  const away = day % 40 >= 9 && day % 40 < 14;
  return away ? TRIPS[Math.floor(day / 40) % TRIPS.length]! : { zone: HOME, offsetS: homeOffset(date) };
}

/** Seconds. Clocks in the EU change at 01:00 UTC on the last Sundays of March and October (Directive 2000/84/EC). */
function homeOffset(ms: number): number {
  const year = new Date(ms).getUTCFullYear();
  const summer = ms >= lastSunday(year, 2) + HOUR_MS && ms < lastSunday(year, 9) + HOUR_MS;
  return summer ? 7200 : 3600;
}

function lastSunday(year: number, month: number): number {
  const lastOfMonth = Date.UTC(year, month + 1, 0);
  return lastOfMonth - new Date(lastOfMonth).getUTCDay() * DAY_MS;
}

/** Times before the first period use the first period. Caches the last result, because most lookups are neighbours. */
function createPeriodFinder(periods: Period[]): (ms: number) => Period {
  let found = 0;
  const covers = (index: number, ms: number) => index === 0 || periods[index]!.fromMs <= ms;
  return (ms) => {
    while (!covers(found, ms)) found -= 1;
    while (found + 1 < periods.length && periods[found + 1]!.fromMs <= ms) found += 1;
    return periods[found]!;
  };
}

function createFormatter(offsetAt: (ms: number) => number): (ms: number) => string {
  let cachedDay = Number.NaN;
  let cachedDate = "";
  return (ms) => {
    const offsetS = offsetAt(ms);
    const localMs = ms + offsetS * 1000;
    const day = Math.floor(localMs / DAY_MS);
    if (day !== cachedDay) {
      cachedDay = day;
      cachedDate = new Date(day * DAY_MS).toISOString().slice(0, 10);
    }
    const second = (localMs - day * DAY_MS) / 1000;
    return `${cachedDate} ${clock(second)} ${offsetText(offsetS)}`;
  };
}

function clock(second: number): string {
  return `${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)}`;
}

function offsetText(offsetS: number): string {
  const minutes = Math.abs(offsetS) / 60;
  return `${offsetS < 0 ? "-" : "+"}${two(minutes / 60)}${two(minutes % 60)}`;
}

function two(number: number): string {
  const whole = Math.floor(number);
  return whole < 10 ? `0${whole}` : `${whole}`;
}
