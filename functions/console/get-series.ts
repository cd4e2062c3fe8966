import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { getResource } from "../../lib/domain/timeseries/resources.ts";
import { plottableNames, seriesQuery, wireSeries } from "../../lib/domain/timeseries/wire-series.ts";
import { queryUnits } from "../../lib/domain/usage/work-budget.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readSeries } from "../../lib/services/timeseries/read-series.ts";

export const contract = endpoint({
  operationId: "getSeries",
  method: "GET",
  path: "/console/users/{user_id}/series/{resource}",
  tag: "console",
  summary: "Retrieve a timeseries for a plot",
  description: [
    "Divides a range into intervals of equal width, and returns minimum, maximum, mean and number of the values of each.",
    "Every source, device and app is a layer of its own; the service merges nothing across them.",
    "A sample counts in the interval of its `start`. The sum of an interval is its mean times its number.",
    "A point has the start of its interval, or the time of its only value.",
    "A layer has at most `points` points, and intervals without a value have none. Without `end_date` the range ends now.",
    "A page reads at most 20,000 stored chunks, more than a year of one heart rate every five seconds, and stays below 4 MB.",
    "Repeat the request with `next_cursor` until it is null. Two pages may have points of the same interval: combine them.",
    "Samples themselves come from `GET /v2/timeseries/{user_id}/{resource}/grouped`.",
  ],
  auth: "team",
  params: userParams.extend({ resource: z.enum(plottableNames) }),
  query: seriesQuery,
  response: wireSeries,
  errors: [UserNotFound],
  access: [getItem(users), queryItems(chunks), ...userKeyAccess],
  memoryMb: 1769,
});

export const handler = implement(contract, async ({ scope, params, query, pages, work, log }, { users, chunks }) => {
  const { user_id: userId } = params;
  if (!(await users.get(scope, userId))) throw new UserNotFound();
  const series = await readSeries(chunks, { scope, userId, resource: getResource(params.resource), query, pages });
  const { reduced_from: samples, chunks_read, layers } = series;
  await work.record(queryUnits(samples));
  log.info("a series was reduced", { samples, chunks: chunks_read, layers: layers.length });
  return series;
});
