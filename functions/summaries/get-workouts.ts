import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { explainableSummarySchema } from "../../lib/domain/queries/explain/explain-summaries.ts";
import { workouts } from "../../lib/domain/summaries/workouts.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listExplainedSummaries } from "../../lib/services/queries/list-explained-summaries.ts";

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
  response: z.object({ workouts: z.array(explainableSummarySchema(workouts)) }),
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries, "by_day"), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  workouts: await listExplainedSummaries(deps, scope, params.user_id, [workouts, "workout"], query),
}));
