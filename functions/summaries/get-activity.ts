import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { explainable } from "../../lib/domain/aggregation/explain-summary.ts";
import { activity } from "../../lib/domain/summaries/activity.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/query.ts";
import { explainedSummaries } from "../../lib/runtime/aggregation/explained-summaries.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the daily activity of a user by calendar date. */
export const contract = endpoint({
  operationId: "getActivity",
  method: "GET",
  path: "/v2/summary/activity/{user_id}",
  tag: "summaries",
  summary: "List activity summaries",
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ activity: z.array(explainable(activity)) }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), get(sourcePriorities), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, uses) => ({
  activity: await explainedSummaries(uses, scope, params.user_id, [activity, "activity"], query),
}));
