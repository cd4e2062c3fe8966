import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { rangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { cholesterolTypes, getResource } from "../../lib/domain/timeseries/resources.ts";
import { anyWireSample, ungroupedResponse } from "../../lib/domain/timeseries/wire-response.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTimeseriesList } from "../../lib/services/timeseries/timeseries-page.ts";

export const contract = endpoint({
  operationId: "getCholesterol",
  method: "GET",
  path: "/v2/timeseries/{user_id}/cholesterol/{type}",
  tag: "timeseries",
  summary: "List cholesterol samples of one type",
  description: [
    "Returns the cholesterol samples of one kind, in mmol/L, from all sources in one list in order of `start`.",
    "Use `GET /v2/timeseries/{user_id}/cholesterol/grouped` instead: it returns all four kinds, each named in `type`.",
    "A range with more than 20,000 samples or 4 MB answers `validation_failed`, because this route has no pages.",
  ],
  auth: "team",
  params: userParams.extend({ type: z.enum(cholesterolTypes) }),
  query: rangeQuery,
  response: ungroupedResponse(anyWireSample),
  errors: [UserNotFound],
  access: [getItem(users), queryItems(chunks), ...userKeyAccess],
  deprecated: true,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, query }, { users, chunks }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return readTimeseriesList(chunks, scope, params.user_id, getResource("cholesterol"), query, params.type);
});
