import type * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../contract/access.ts";
import { endpointHealth, eventFeed, usage, webhookEndpoints } from "../../contract/resources.ts";
import { sumUsageDays, type wireOverview } from "../../domain/console/overview.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { prices } from "../../domain/usage/prices.ts";
import { toUsageDays, utcDate } from "../../domain/usage/usage-day.ts";
import type { AttemptCount } from "../../events/webhooks/delivery-metric.ts";
import { hasRecordedFailures } from "../../events/webhooks/endpoint-health.ts";
import type { WebhookEndpoint } from "../../events/webhooks/webhook-endpoint.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { listUsageDays } from "../usage/list-usage-days.ts";

type Overview = z.output<typeof wireOverview>;

/** Grants of {@link readOverview}. */
export const readOverviewAccess = [
  queryItems(usage),
  getItem(eventFeed),
  queryItems(webhookEndpoints),
  batchGetItem(endpointHealth),
] as const;

/** Counts what is counted already: a few queries and reads, whatever the number of users. */
export async function readOverview(
  deps: Dependencies<"usage" | "eventFeed" | "webhookEndpoints" | "endpointHealth" | "read">,
  scope: TeamScope,
): Promise<Overview> {
  const nowMs = ports().clock.now();
  const today = utcDate(nowMs);
  const month = { first: `${today.slice(0, 8)}01`, last: today };
  const [counts, attempts, endpoints] = await Promise.all([
    listUsageDays(deps, scope, month),
    deps.usage.listAttempts(scope, nowMs - DAY_MS),
    deps.webhookEndpoints.list(scope),
  ]);
  const days = toUsageDays(scope.teamId, counts, month);
  const { region, date, currency } = prices;
  return {
    at: new Date(nowMs).toISOString(),
    usage: {
      today: sumUsageDays(days.filter((day) => day.date === today)),
      month: sumUsageDays(days),
      prices: { region, date, currency },
    },
    deliveries: { since: new Date(nowMs - DAY_MS).toISOString(), ...sumAttempts(attempts) },
    endpoints: await countEndpoints(deps, endpoints),
  };
}

function sumAttempts(counts: readonly AttemptCount[]) {
  const sum = (outcome: "delivered" | "failed") => counts.reduce((total, one) => total + one[outcome], 0);
  return { delivered: sum("delivered"), failed: sum("failed") };
}

async function countEndpoints(
  { endpointHealth, read }: Dependencies<"endpointHealth" | "read">,
  endpoints: readonly WebhookEndpoint[],
): Promise<Overview["endpoints"]> {
  const enabled = endpoints.filter(({ disabled }) => !disabled);
  const failing = (await read(enabled.map((one) => endpointHealth.readItem(one)))).filter(hasRecordedFailures);
  return {
    enabled: enabled.length,
    disabled: endpoints.length - enabled.length,
    failing: failing.length,
    suspended: failing.filter(({ parked_at }) => parked_at !== undefined).length,
  };
}
