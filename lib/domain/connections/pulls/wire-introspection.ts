import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { queryInteger } from "../../../contract/shared-schemas.ts";
import { entriesByName } from "../../shared/entries-by-name.ts";
import { providerFilter } from "../../timeseries/range-query.ts";
import type { ConnectionPoll, PullAttempt } from "./connection-poll.ts";
import type { DeliveredData } from "./delivered-data.ts";
import { type HistoricalPull, pullErrors, pullStatuses } from "./historical-pull.ts";
import { UNDATED } from "./history-ranges.ts";

/** Introspection: status and progress of the pulls of users. */

const instant = z.iso.datetime({ offset: true }).nullable();

const resourceStatistics = z
  .object({
    last_attempt: z.object({ timestamp: z.string(), status: openEnum(["success", "failure"]) }).nullable(),
    oldest_data: instant.describe("Time of the oldest delivered record; null if its records have no time"),
    newest_data: instant.describe("Time of the newest delivered record; null if its records have no time"),
    sent_count: z.int().nullable().describe("Number of delivered records, including repeated ones"),
  })
  .meta({ id: "ResourceStatistics" });
type ResourceStatistics = z.output<typeof resourceStatistics>;

/** Pull statistics of a user's resources, by provider. */
export const wireUserResources = z
  .object({ user_id: z.guid(), provider: z.record(z.string(), z.record(z.string(), resourceStatistics)) })
  .meta({ id: "UserResources" });

const history = z
  .object({
    status: openEnum(pullStatuses),
    range_start: instant,
    range_end: instant,
    timeline: z.object({ scheduled_at: z.string(), started_at: instant, ended_at: instant }),
    days_with_data: z.int().describe("Number of days for which the provider delivered data"),
    release: z.string().describe("Version of the rules for historical pulls"),
    trace_id: z.string().nullable(),
    error_details: openEnum(pullErrors).nullable(),
  })
  .meta({ id: "HistoricalPullStatistics" });

/** Historical pulls of a user, by provider. */
export const wireUserHistories = z
  .object({
    user_id: z.guid(),
    provider: z.record(
      z.string(),
      z.object({
        pulled: z.record(z.string(), history),
        not_pulled: z.array(z.string()).describe("Resources of the provider whose history was never requested"),
      }),
    ),
  })
  .meta({ id: "UserHistoricalPulls" });

/** Filter and page of introspection; `cursor` is the older name of `next_cursor`. */
export const introspectionQuery = z.object({
  user_id: z.guid().toLowerCase().optional(),
  provider: providerFilter,
  user_limit: queryInteger(1, 100).default(50).describe("Number of users in a page"),
  cursor: z.string().max(2_000).optional().describe("Older name of next_cursor"),
  next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
});

/** Version of the rules for historical pulls. */
const RELEASE = "1";

/** Stored records of a user's pulls. */
export interface UserPulls {
  readonly polls: readonly ConnectionPoll[];
  readonly histories: readonly HistoricalPull[];
  readonly delivered: readonly DeliveredData[];
}

const emptyStatistics: ResourceStatistics = {
  last_attempt: null,
  oldest_data: null,
  newest_data: null,
  sent_count: null,
};

/** Converts the pull statistics of each resource, by provider. */
export function toWireResources({
  polls,
  histories,
  delivered,
}: UserPulls): Record<string, Record<string, ResourceStatistics>> {
  const all: Record<string, Record<string, ResourceStatistics>> = {};
  const at = (provider: string, resource: string): ResourceStatistics => {
    const ofProvider = all[provider] ?? {};
    const known = ofProvider[resource] ?? { ...emptyStatistics };
    all[provider] = { ...ofProvider, [resource]: known };
    return known;
  };
  for (const { provider, resources } of delivered) {
    for (const [name, { oldest, newest, sent_count }] of entriesByName(resources)) {
      const known = at(provider, name);
      known.sent_count = (known.sent_count ?? 0) + sent_count;
      if (oldest === UNDATED) continue;
      if (known.oldest_data === null || oldest < known.oldest_data) known.oldest_data = oldest;
      if (known.newest_data === null || newest > known.newest_data) known.newest_data = newest;
    }
  }
  for (const [provider, resource, attempt] of listAttempts(polls, histories)) {
    const known = at(provider, resource);
    if ((known.last_attempt?.timestamp ?? "") < attempt.timestamp) known.last_attempt = attempt;
  }
  return all;
}

function listAttempts(polls: UserPulls["polls"], histories: UserPulls["histories"]) {
  const ofPolls = polls.flatMap(({ provider, attempts }) =>
    entriesByName(attempts).map(([resource, attempt]) => [provider, resource, attempt] as const),
  );
  const ofHistories = histories.flatMap(({ provider, resource, ended_at, status }) => {
    if (ended_at === null) return [];
    const attempt: PullAttempt = { timestamp: ended_at, status: status === "success" ? "success" : "failure" };
    return [[provider, resource, attempt] as const];
  });
  return [...ofPolls, ...ofHistories];
}

/** Converts a historical pull. */
export function toWireHistoricalPull(pull: HistoricalPull): z.output<typeof history> {
  const { status, range_start, range_end, scheduled_at, started_at, ended_at, error_details } = pull;
  const timeline = { scheduled_at, started_at, ended_at };
  const days_with_data = pull.days.length;
  return { status, range_start, range_end, timeline, days_with_data, release: RELEASE, trace_id: null, error_details };
}
