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

/** Counts the successful and failed attempts at the webhooks of a team by interval. */
export const contract = endpoint({
  operationId: "getEventDeliveryMetric",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/event_delivery_metric",
  tag: "management-webhooks",
  summary: "Retrieve delivery metrics of a team",
  auth: "management",
  params: teamParams,
  query: z.object({ interval: z.enum(intervals).default("1h") }),
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
