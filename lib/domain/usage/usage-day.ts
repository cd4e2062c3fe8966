import * as z from "zod";
import { DAY_MS } from "../shared/durations.ts";
import { calendarDate } from "../users/user.ts";
import { estimateDollars } from "./cost.ts";

/** Maximum number of days in one response. */
export const MAX_USAGE_DAYS = 93;

const count = z.number().int().nonnegative();

/** The usage of a team on one day (UTC), with its estimated cost. */
export const usageDay = z
  .object({
    team_id: z.guid(),
    date: calendarDate,
    requests: count.meta({ description: "Admitted requests with an API key of the team" }),
    samples: count.meta({ description: "New or changed samples, summaries and streams" }),
    events: count,
    deliveries: count.meta({ description: "Attempts to deliver an event to a webhook endpoint" }),
    stored_bytes: count.meta({ description: "Compressed health data at the end of the day" }),
    estimated_dollars: z.number().nonnegative().meta({ description: "US dollars, rounded to a millionth" }),
  })
  .meta({ id: "UsageDay" });
export type UsageDay = z.output<typeof usageDay>;

/** Counters of a team on one day; `bytes` is the growth of its stored data. */
export interface DayCounts {
  readonly date: string;
  readonly requests?: number | undefined;
  readonly samples?: number | undefined;
  readonly bytes?: number | undefined;
  readonly events?: number | undefined;
  readonly deliveries?: number | undefined;
}

const units = ["requests", "samples", "bytes", "events", "deliveries"] as const;
type Totals = Record<(typeof units)[number], number>;

/** The calendar date (UTC) of an instant. */
export const utcDate = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** Sorts dates ascending. */
export const sortDates = (...dates: readonly string[]): string[] => dates.toSorted();

/** Number of days from `first` to `last`, both inclusive; 0 if `last` is earlier. */
export const countDays = (first: string, last: string): number =>
  Math.max(0, (Date.parse(last) - Date.parse(first)) / DAY_MS + 1);

/**
 * The days of a range with usage or stored data, oldest first.
 * @param counts in any order, also several of one day; counts before the range give the bytes stored at its start.
 */
export function toUsageDays(
  team_id: string,
  counts: readonly DayCounts[],
  { first, last }: { first: string; last: string },
): UsageDay[] {
  const byDate = new Map([...Map.groupBy(counts, ({ date }) => date)].map(([date, ofDay]) => [date, sum(ofDay)]));
  const none = sum([]);
  let stored = sum(counts.filter(({ date }) => date < first)).bytes;
  const days: UsageDay[] = [];
  for (let day = 0; day < countDays(first, last); day++) {
    const date = utcDate(Date.parse(first) + day * DAY_MS);
    const { bytes, ...used } = byDate.get(date) ?? none;
    stored += bytes;
    const stored_bytes = Math.max(0, stored);
    const isIdle = stored_bytes === 0 && Object.values(used).every((value) => value === 0);
    if (isIdle) continue;
    days.push({ team_id, date, ...used, stored_bytes, estimated_dollars: estimateDollars({ ...used, stored_bytes }) });
  }
  return days;
}

function sum(counts: readonly DayCounts[]): Totals {
  const total = { requests: 0, samples: 0, bytes: 0, events: 0, deliveries: 0 };
  for (const ofDay of counts) for (const unit of units) total[unit] += ofDay[unit] ?? 0;
  return total;
}
