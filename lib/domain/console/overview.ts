import * as z from "zod";
import { type UsageDay, usageDay } from "../usage/usage-day.ts";
import { calendarDate } from "../users/user.ts";

const count = z.int().nonnegative();

const usageTotals = usageDay
  .omit({ team_id: true, date: true })
  .meta({ id: "UsageTotals", description: "Counts of the usage, and its estimated cost" });

/** What the console shows of a team at a glance: counts only. */
export const wireOverview = z
  .object({
    at: z.iso.datetime().describe("Time of the counts"),
    usage: z.object({
      today: usageTotals.describe("Since midnight, UTC"),
      month: usageTotals.describe("Since the first day of the month, UTC; `stored_bytes` as of today"),
      prices: z.object({ region: z.string(), date: calendarDate, currency: z.string() }),
    }),
    deliveries: z.object({
      since: z.iso.datetime(),
      delivered: count.describe("Attempts that a webhook endpoint accepted since then"),
      failed: count.describe("Attempts that failed since then, also those that were repeated"),
    }),
    endpoints: z.object({
      enabled: count,
      disabled: count,
      failing: count.describe("Enabled endpoints whose last delivery failed"),
      suspended: count.describe("Failing endpoints that receive probes only"),
    }),
  })
  .meta({ id: "Overview" });

type UsageTotals = z.output<typeof usageTotals>;
const none: UsageTotals = { requests: 0, samples: 0, events: 0, deliveries: 0, stored_bytes: 0, estimated_dollars: 0 };

/** Dollars have at most six decimals. */
const MILLIONTHS = 1e6;

/** Sums the usage of days, oldest first. The stored bytes are those of the last day. */
export const sumUsageDays = (days: readonly UsageDay[]): UsageTotals =>
  days.reduce<UsageTotals>(
    (total, day) => ({
      requests: total.requests + day.requests,
      samples: total.samples + day.samples,
      events: total.events + day.events,
      deliveries: total.deliveries + day.deliveries,
      stored_bytes: day.stored_bytes,
      estimated_dollars: Math.round((total.estimated_dollars + day.estimated_dollars) * MILLIONTHS) / MILLIONTHS,
    }),
    none,
  );
