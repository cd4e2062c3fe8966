import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { rangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { getResource, ungroupedResourceNames } from "../../lib/domain/timeseries/resources.ts";
import { anyWireSample, ungroupedResponse, wireSampleSchemaByName } from "../../lib/domain/timeseries/wire-response.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTimeseriesList } from "../../lib/services/timeseries/timeseries-page.ts";

export const contract = endpoint({
  operationId: "getTimeseries",
  method: "GET",
  path: "/v2/timeseries/{user_id}/{resource}",
  tag: "timeseries",
  summary: "List samples",
  description: [
    "Returns the samples of one resource from all sources in one list, in order of `start` and without their source.",
    "Use `GET /v2/timeseries/{user_id}/{resource}/grouped` instead: it has pages and names the sources.",
    "A range with more than 20,000 samples or 4 MB answers `validation_failed`, because this route has no pages.",
    "Only resources that this older form offers exist here, such as `steps`, `heartrate`, `glucose` and `body_weight`.",
    "Two sources that measure the same hour both appear, so adding up `steps` can count them twice.",
  ],
  auth: "team",
  params: userParams.extend({ resource: z.enum(ungroupedResourceNames) }),
  query: rangeQuery,
  response: ungroupedResponse(anyWireSample),
  expand: { param: "resource", response: (name) => ungroupedResponse(wireSampleSchemaByName(name)) },
  errors: [UserNotFound],
  access: [getItem(users), queryItems(chunks), ...userKeyAccess],
  deprecated: true,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, query }, { users, chunks }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return readTimeseriesList(chunks, scope, params.user_id, getResource(params.resource), query);
});
