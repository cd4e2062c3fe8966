import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { timeseriesQuery } from "../../lib/domain/timeseries/query.ts";
import { resourceNamed, resourceNames } from "../../lib/domain/timeseries/resources.ts";
import { anyWireSample, groupedResponse, wireSampleOf } from "../../lib/domain/timeseries/wire-response.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readPage } from "../../lib/runtime/timeseries-page.ts";

/** Lists the samples of one resource by provider and source, page by page. */
export const contract = endpoint({
  operationId: "getGroupedTimeseries",
  method: "GET",
  path: "/v2/timeseries/{user_id}/{resource}/grouped",
  tag: "timeseries",
  summary: "List samples grouped by source",
  auth: "team",
  // A static alias, because the more specific path of getCholesterol would take precedence over the variable.
  aliases: ["/v2/timeseries/{user_id}/cholesterol/grouped"],
  params: userParams.extend({ resource: z.enum(resourceNames).default("cholesterol") }),
  query: timeseriesQuery,
  response: groupedResponse(anyWireSample),
  expand: { param: "resource", response: (name) => groupedResponse(wireSampleOf(name)) },
  errors: [UserNotFound, NotPossible],
  access: [get(users), query(chunks), ...underUserKeys],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, query, pages }, { users, chunks }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const resource = resourceNamed(params.resource);
  return readPage(chunks, scope, params.user_id, resource, query, pages);
});
