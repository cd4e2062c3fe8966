import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { deliveryMetrics, teams, usage } from "../../lib/contract/resources.ts";
import {
  type MetricInterval,
  metricIntervals,
  metricStart,
  toWireMetric,
  wireMetric,
} from "../../lib/events/webhooks/delivery-metric.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ports } from "../../lib/runtime/ports.ts";

const intervals = Object.keys(metricIntervals) as [MetricInterval, ...MetricInterval[]];

export const contract = endpoint({
  operationId: "getEventDeliveryMetric",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/event_delivery_metric",
  tag: "management-webhooks",
  summary: "Retrieve delivery metrics of a team",
  description: [
    "Counts the delivered and failed attempts at all webhook endpoints of a team, by interval.",
    "The intervals `5m`, `15m`, `1h` and `1d` cover 1, 3, 14 and 30 days.",
    "The response is a Prometheus matrix with one series for each outcome: instants in epoch seconds, counts as text.",
    "Every interval has a value, the current one too. Counts are of attempts: one event may have several.",
  ],
  auth: "management",
  consoleRoles: ["admin", "support"],
  params: teamParams,
  query: z.object({
    interval: z.enum(intervals).default("1h").describe("5m covers a day, 15m 3 days, 1h 14 days, 1d 30 days"),
  }),
  response: wireMetric,
  errors: [NotFound],
  access: [getItem(teams), queryItems(usage), queryItems(deliveryMetrics)],
});

export const handler = implement(contract, async ({ query, ...call }, { teams, usage, deliveryMetrics }) => {
  const scope = await requireTeamScope(teams, call);
  const nowMs = ports().clock.now();
  const sinceMs = metricStart(query.interval, nowMs);
  const counts = await Promise.all([usage.listAttempts(scope, sinceMs), deliveryMetrics.listSince(scope, sinceMs)]);
  return toWireMetric(counts.flat(), query.interval, nowMs);
});
