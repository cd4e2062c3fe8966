import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { workouts } from "../../lib/domain/summaries/workouts.ts";
import { rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/runtime/summary-list.ts";

/** Workouts of a user, by calendar date. */
export const contract = endpoint({
  operationId: "getWorkouts",
  method: "GET",
  path: "/v2/summary/workouts/{user_id}",
  tag: "summaries",
  summary: "Read workout summaries",
  auth: "team",
  params: userParams,
  query: rangeQuery,
  response: z.object({ workouts: z.array(workouts.wire) }),
  errors: [UserNotFound],
  access: [get(users), query(summaries, "by_day")],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { workouts: await listSummaries(summaries, scope, params.user_id, workouts, query) };
});
