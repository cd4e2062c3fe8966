import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { activity } from "../../lib/domain/summaries/activity.ts";
import { rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/runtime/summary-list.ts";

/** Daily activity of a user, by calendar date. */
export const contract = endpoint({
  operationId: "getActivity",
  method: "GET",
  path: "/v2/summary/activity/{user_id}",
  tag: "summaries",
  summary: "Read activity summaries",
  auth: "team",
  params: userParams,
  query: rangeQuery,
  response: z.object({ activity: z.array(activity.wire) }),
  errors: [UserNotFound],
  access: [get(users), query(summaries)],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { activity: await listSummaries(summaries, scope, params.user_id, activity, query) };
});
