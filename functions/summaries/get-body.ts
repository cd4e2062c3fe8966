import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { body } from "../../lib/domain/summaries/body.ts";
import { rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/runtime/summary-list.ts";

/** Body measurements of a user, by calendar date. */
export const contract = endpoint({
  operationId: "getBody",
  method: "GET",
  path: "/v2/summary/body/{user_id}",
  tag: "summaries",
  summary: "Read body summaries",
  auth: "team",
  params: userParams,
  query: rangeQuery,
  response: z.object({ body: z.array(body.wire) }),
  errors: [UserNotFound],
  access: [get(users), query(summaries)],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { body: await listSummaries(summaries, scope, params.user_id, body, query) };
});
