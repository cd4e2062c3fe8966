import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { chunks, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { cholesterolTypes, resourceNamed } from "../../lib/domain/timeseries/resources.ts";
import { anyWireSample, plainResponse } from "../../lib/domain/timeseries/wire-response.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readPlain } from "../../lib/runtime/timeseries-page.ts";

/** Lists the samples of one cholesterol type from all sources, without pages. Superseded by the grouped route. */
export const contract = endpoint({
  operationId: "getCholesterol",
  method: "GET",
  path: "/v2/timeseries/{user_id}/cholesterol/{type}",
  tag: "timeseries",
  summary: "List cholesterol samples of one type",
  auth: "team",
  params: userParams.extend({ type: z.enum(cholesterolTypes) }),
  query: rangeQuery,
  response: plainResponse(anyWireSample),
  errors: [UserNotFound],
  access: [get(users), query(chunks), ...underUserKeys],
  deprecated: true,
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, query }, { users, chunks }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return readPlain(chunks, scope, params.user_id, resourceNamed("cholesterol"), query, params.type);
});
