import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { explainable } from "../../lib/domain/aggregation/explain-summary.ts";
import { workouts } from "../../lib/domain/summaries/workouts.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/query.ts";
import { explainedSummaries } from "../../lib/runtime/aggregation/explained-summaries.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the workouts of a user by calendar date. */
export const contract = endpoint({
  operationId: "getWorkouts",
  method: "GET",
  path: "/v2/summary/workouts/{user_id}",
  tag: "summaries",
  summary: "List workout summaries",
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ workouts: z.array(explainable(workouts)) }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), get(sourcePriorities), query(summaries, "by_day"), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, uses) => ({
  workouts: await explainedSummaries(uses, scope, params.user_id, [workouts, "workout"], query),
}));
