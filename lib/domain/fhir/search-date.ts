import { allTime, type DateRange } from "../shared/date-range.ts";
import { DAY_MS } from "../shared/durations.ts";

/** The comparisons of date parameters that this service answers (FHIR R4, section 3.1.1.5.6). */
const prefixes = ["eq", "ge", "gt", "le", "lt"] as const;

/** A date parameter: a comparison, and the range of instants that the written precision covers. */
export interface DateCondition extends DateRange {
  readonly prefix: (typeof prefixes)[number];
}

const DATE =
  /^(eq|ge|gt|le|lt)?(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+ -]\d{2}:\d{2})?)?)?)?$/;
/** Years that the service stores data of. */
const [FIRST_YEAR, LAST_YEAR] = [1900, 2999];

/**
 * Parses a date parameter: a year, month, day, minute, second or fraction of it, in UTC unless it has an offset. Without
 * a prefix it means `eq`. @returns undefined for anything else, including other prefixes.
 */
export function parseDateCondition(text: string): DateCondition | undefined {
  const [found, prefix = "eq", year, month, day, hour, minute, second, fraction, zone = "Z"] = DATE.exec(text) ?? [];
  if (found === undefined || Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return undefined;
  const date = `${year}-${month ?? "01"}-${day ?? "01"}`;
  // The "+" of an offset arrives as a space when it is not escaped.
  const time = `${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}.${(fraction ?? "").slice(0, 3).padEnd(3, "0")}`;
  const fromMs = Date.parse(`${date}T${time}${zone.replace(" ", "+")}`);
  const isDate = new Date(`${date}T00:00:00Z`).toJSON()?.startsWith(date) === true;
  if (Number.isNaN(fromMs) || !isDate) return undefined;
  const lengthMs = lengthOf({ month, day, hour, second, fraction }, fromMs);
  return { prefix: prefix as DateCondition["prefix"], fromMs, toMs: fromMs + lengthMs - 1 };
}

type Parts = Readonly<Partial<Record<"month" | "day" | "hour" | "second" | "fraction", string | undefined>>>;

/** The length of the range that the written precision covers, milliseconds. */
function lengthOf({ month, day, hour, second, fraction }: Parts, fromMs: number): number {
  const from = new Date(fromMs);
  const [year, monthIndex] = [from.getUTCFullYear(), from.getUTCMonth()];
  if (month === undefined) return Date.UTC(year + 1, 0, 1) - fromMs;
  if (day === undefined) return Date.UTC(year, monthIndex + 1, 1) - fromMs;
  if (hour === undefined) return DAY_MS;
  if (second === undefined) return 60_000;
  return fraction === undefined ? 1_000 : 10 ** Math.max(0, 3 - fraction.length);
}

/** Whether a range of instants meets every condition, as FHIR R4 defines the comparisons. */
export function meetsDates(conditions: readonly DateCondition[], { fromMs, toMs }: DateRange): boolean {
  return conditions.every((given) => {
    const isWithin = given.fromMs <= fromMs && toMs <= given.toMs;
    if (given.prefix === "eq") return isWithin;
    if (given.prefix === "gt") return toMs > given.toMs;
    if (given.prefix === "lt") return fromMs < given.fromMs;
    return isWithin || (given.prefix === "ge" ? toMs > given.toMs : fromMs < given.fromMs);
  });
}

/**
 * The starts that observations which meet all conditions can have. Empty ranges end before their start.
 * @param longestMs the longest observation.
 */
export function startsWithin(conditions: readonly DateCondition[], longestMs: number): DateRange {
  let { fromMs, toMs } = allTime;
  for (const given of conditions) {
    if (given.prefix === "eq") fromMs = Math.max(fromMs, given.fromMs);
    if (given.prefix === "ge" || given.prefix === "gt") fromMs = Math.max(fromMs, given.fromMs - longestMs);
    if (given.prefix === "eq" || given.prefix === "le") toMs = Math.min(toMs, given.toMs);
    if (given.prefix === "lt") toMs = Math.min(toMs, given.fromMs - 1);
  }
  return { fromMs, toMs };
}
