import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { timeseriesQuery } from "../../lib/domain/timeseries/range-query.ts";
import { getResource, resourceNames } from "../../lib/domain/timeseries/resources.ts";
import { anyWireSample, groupedResponse, wireSampleSchemaByName } from "../../lib/domain/timeseries/wire-response.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTimeseriesPage } from "../../lib/services/timeseries/timeseries-page.ts";

export const contract = endpoint({
  operationId: "getGroupedTimeseries",
  method: "GET",
  path: "/v2/timeseries/{user_id}/{resource}/grouped",
  tag: "timeseries",
  summary: "List samples grouped by source",
  description: [
    "Returns the samples of one resource from all sources, grouped by provider and then by source, device and app.",
    "Samples of each group are in order of time, and the service merges nothing across sources.",
    "To merge sources or compute sums, use `POST /aggregate/v1/user/{user_id}/query`.",
    "A page holds 20,000 samples or 4 MB; repeat the request with `next_cursor` until it is null.",
    "A sample belongs to the range by its `start`, so an interval that only reaches into the range is missing.",
    "Blood pressure has `systolic` and `diastolic` instead of `value`; cholesterol names its kind in `type`.",
    "Outside a history, they send `daily.data.<resource>.created` (`weight` for `body_weight`, `fat` for `body_fat`).",
    "If the deployment keeps no earlier versions, a request with `as_of` answers `not_possible`.",
  ],
  auth: "team",
  // A static alias, because the more specific path of getCholesterol would take precedence over the variable.
  aliases: ["/v2/timeseries/{user_id}/cholesterol/grouped"],
  params: userParams.extend({ resource: z.enum(resourceNames).default("cholesterol") }),
  query: timeseriesQuery,
  response: groupedResponse(anyWireSample),
  expand: { param: "resource", response: (name) => groupedResponse(wireSampleSchemaByName(name)) },
  agentTool: {
    name: "get_samples",
    description: [
      "Returns the samples of one resource in a range, by source.",
      "If they do not fit, each source has one row for an interval of time instead, and `reduction` names the interval.",
      "A row has the count, minimum, maximum, mean and sum of each measured field.",
      "Nothing is merged across sources: use query_data for totals.",
    ],
    reach: "user",
    shortening: { kind: "samples" },
    rest: "Call again with `next_cursor` if it is not null, or with a shorter range for more detail.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), queryItems(chunks), ...userKeyAccess],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, query, pages }, { users, chunks }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const resource = getResource(params.resource);
  return readTimeseriesPage(chunks, scope, params.user_id, resource, query, pages);
});
