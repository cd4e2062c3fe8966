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

export const contract = endpoint({
  operationId: "getWorkouts",
  method: "GET",
  path: "/v2/summary/workouts/{user_id}",
  tag: "summaries",
  summary: "List workout summaries",
  description: [
    "Returns workouts with sport, distance, heart rate and energy, by the local day on which each one starts.",
    "The range includes both dates; of a date-time, the UTC date counts.",
    "A workout keeps its id when its source corrects it, because `provider_id` identifies it.",
    "Distances are in metres, speeds in metres per second, and `hr_zones` in seconds per zone.",
    "With `explain=true`, each workout names its rivals from other sources and whether queries use it.",
    "Outside a history, new and changed workouts send `daily.data.workouts.created` and `daily.data.workouts.updated`.",
    "For positions and the course of values, read `GET /v2/timeseries/workouts/{workout_id}/stream`.",
    "A workout that was just stored may appear a moment late.",
  ],
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ workouts: z.array(explainableSummarySchema(workouts)) }),
  agentTool: {
    name: "get_workouts",
    description: [
      "Returns workouts with sport, distance in metres, duration in seconds, heart rate and energy in kcal.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "workouts" },
    rest: "Call again with `start_date` at the day of the last item that you received, or with a shorter range.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries, "by_day"), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  workouts: await listExplainedSummaries(deps, scope, params.user_id, [workouts, "workout"], query),
}));
