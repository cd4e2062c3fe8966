/** A parsed schedule expression: a fixed period, or the calendar fields of a cron expression (UTC). */
export type Schedule = { kind: "rate"; periodMs: number } | ({ kind: "cron" } & CronFields);

interface CronFields {
  minutes: number[];
  hours: number[];
  months: number[];
  years: number[];
  /** The matching days of a month, ascending. `month` counts from 1. */
  matchingDays: (year: number, month: number) => number[];
}

interface FieldRange {
  name: string;
  min: number;
  max: number;
  names?: string[];
  increments: boolean;
}

const UNIT_MS = new Map([
  ["minute", 60_000],
  ["hour", 3_600_000],
  ["day", 86_400_000],
]);

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

const MINUTE: FieldRange = { name: "minutes", min: 0, max: 59, increments: true };
const HOUR: FieldRange = { name: "hours", min: 0, max: 23, increments: true };
const DAY_OF_MONTH: FieldRange = { name: "day-of-month", min: 1, max: 31, increments: true };
const MONTH: FieldRange = { name: "month", min: 1, max: 12, names: MONTHS, increments: true };
const DAY_OF_WEEK: FieldRange = { name: "day-of-week", min: 1, max: 7, names: WEEKDAYS, increments: false };
const YEAR: FieldRange = { name: "year", min: 1970, max: 2199, increments: true };

/**
 * Parses `rate(5 minutes)` or `cron(0 12 * * ? *)`.
 * Source: EventBridge User Guide, "Setting a schedule pattern" and "Cron expressions reference".
 *
 * @throws Error with the expression and the reason why EventBridge rejects it.
 */
export function parseSchedule(expression: string): Schedule {
  const [, kind, body = ""] = /^(rate|cron)\((.+)\)$/.exec(expression) ?? [];
  try {
    if (kind === "rate") return parseRate(body);
    if (kind === "cron") return parseCron(body);
    throw new Error("must be rate(value unit) or cron(six fields)");
  } catch (error) {
    throw new Error(`Schedule expression ${expression}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * The first instant (epoch ms) strictly after `afterMs` at which the schedule runs. A rate counts from `afterMs`.
 * Undefined when all years of a cron expression are in the past.
 */
export function nextRunAt(expression: string, afterMs: number): number | undefined {
  const schedule = parseSchedule(expression);
  if (schedule.kind === "rate") return afterMs + schedule.periodMs;
  const after = new Date(afterMs);
  for (const year of schedule.years.filter((candidate) => candidate >= after.getUTCFullYear())) {
    const firstMonth = year === after.getUTCFullYear() ? after.getUTCMonth() + 1 : 1;
    for (const month of schedule.months.filter((candidate) => candidate >= firstMonth)) {
      const next = firstRunInMonth(schedule, year, month, afterMs);
      if (next !== undefined) return next;
    }
  }
  return undefined;
}

function firstRunInMonth(cron: CronFields, year: number, month: number, afterMs: number): number | undefined {
  for (const day of cron.matchingDays(year, month)) {
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const instant = Date.UTC(year, month - 1, day, hour, minute);
        if (instant > afterMs) return instant;
      }
    }
  }
  return undefined;
}

function parseRate(body: string): Schedule {
  const [, count = "", unit = "", plural] = /^([1-9]\d*) (minute|hour|day)(s?)$/.exec(body) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (!unitMs) throw new Error("must be a positive number and minute(s), hour(s) or day(s)");
  if ((count === "1") !== (plural === "")) throw new Error("needs a singular unit for 1, and a plural unit otherwise");
  return { kind: "rate", periodMs: Number(count) * unitMs };
}

function parseCron(body: string): Schedule {
  const fields = body.trim().toUpperCase().split(/\s+/);
  const [minutes, hours, dayOfMonth, month, dayOfWeek, year] = fields;
  if (fields.length !== 6 || !minutes || !hours || !dayOfMonth || !month || !dayOfWeek || !year) {
    throw new Error("must have six fields");
  }
  if ((dayOfMonth === "?") === (dayOfWeek === "?")) {
    throw new Error("must have ? in exactly one of day-of-month and day-of-week");
  }
  return {
    kind: "cron",
    minutes: expandField(minutes, MINUTE),
    hours: expandField(hours, HOUR),
    months: expandField(month, MONTH),
    years: expandField(year, YEAR),
    matchingDays: dayOfWeek === "?" ? daysOfMonth(dayOfMonth) : daysOfWeek(dayOfWeek),
  };
}

function daysOfMonth(field: string): CronFields["matchingDays"] {
  if (field === "L") return (year, month) => [daysInMonth(year, month)];
  const [, nearest] = /^(\d+)W$/.exec(field) ?? [];
  if (nearest) {
    const [day = 1] = expandField(nearest, DAY_OF_MONTH);
    return (year, month) => nearestWeekday(year, month, day);
  }
  const days = expandField(field, DAY_OF_MONTH);
  return (year, month) => days.filter((day) => day <= daysInMonth(year, month));
}

function daysOfWeek(field: string): CronFields["matchingDays"] {
  if (field === "L") return (year, month) => daysOnWeekdays(year, month, [7]);
  const [, last] = /^(\w+)L$/.exec(field) ?? [];
  if (last) {
    const weekdays = expandField(last, DAY_OF_WEEK);
    return (year, month) => daysOnWeekdays(year, month, weekdays).slice(-1);
  }
  const [, weekday, nth] = /^(\w+)#([1-5])$/.exec(field) ?? [];
  if (weekday && nth) {
    const weekdays = expandField(weekday, DAY_OF_WEEK);
    return (year, month) => daysOnWeekdays(year, month, weekdays).slice(Number(nth) - 1, Number(nth));
  }
  const weekdays = expandField(field, DAY_OF_WEEK);
  return (year, month) => daysOnWeekdays(year, month, weekdays);
}

/** The weekday (Monday to Friday) closest to `day` within the month. Empty when the month has no such day. */
function nearestWeekday(year: number, month: number, day: number): number[] {
  const last = daysInMonth(year, month);
  if (day > last) return [];
  const weekday = cronWeekday(year, month, day);
  if (weekday === 7) return [day === 1 ? 3 : day - 1];
  if (weekday === 1) return [day === last ? day - 2 : day + 1];
  return [day];
}

function daysOnWeekdays(year: number, month: number, weekdays: number[]): number[] {
  const days = Array.from({ length: daysInMonth(year, month) }, (_, at) => at + 1);
  return days.filter((day) => weekdays.includes(cronWeekday(year, month, day)));
}

function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Day of the week in cron's numbering: 1 = Sunday ... 7 = Saturday. */
function cronWeekday(year: number, month: number, day: number): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 1;
}

/** Expands a list of values, ranges, `*` and increments, such as `0/15` or `MON-FRI`, ascending. */
function expandField(field: string, range: FieldRange): number[] {
  return [...new Set(field.split(",").flatMap((part) => expandPart(part, range)))].sort((a, b) => a - b);
}

function expandPart(part: string, range: FieldRange): number[] {
  const refuse = () => new Error(`has an invalid ${range.name} field: ${part}`);
  const [, from = "", to, step] = /^(\*|\w+)(?:-(\w+))?(?:\/([1-9]\d*))?$/.exec(part) ?? [];
  if (!from || (from === "*" && to) || (step && !range.increments)) throw refuse();
  const first = from === "*" ? range.min : parseFieldValue(from, range);
  const openEnded = from === "*" || (step && !to);
  const last = openEnded ? range.max : parseFieldValue(to ?? from, range);
  if (!(first >= range.min && last <= range.max && first <= last)) throw refuse();
  const stepBy = Number(step ?? 1);
  return Array.from({ length: Math.floor((last - first) / stepBy) + 1 }, (_, at) => first + at * stepBy);
}

/** Parses a number or a name of the field. NaN for anything else. */
function parseFieldValue(word: string, range: FieldRange): number {
  const named = range.names?.indexOf(word) ?? -1;
  if (named >= 0) return named + range.min;
  return /^\d+$/.test(word) ? Number(word) : Number.NaN;
}
