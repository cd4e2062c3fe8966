import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { explainableSummarySchema } from "../../lib/domain/queries/explain/explain-summaries.ts";
import { activity } from "../../lib/domain/summaries/activity.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listExplainedSummaries } from "../../lib/services/queries/list-explained-summaries.ts";

export const contract = endpoint({
  operationId: "getActivity",
  method: "GET",
  path: "/v2/summary/activity/{user_id}",
  tag: "summaries",
  summary: "List activity summaries",
  description: [
    "Returns the activity of each day, such as steps, distance, energy and heart rate, oldest day first.",
    "A day is the user's local day, and the range includes both dates; of a date-time, the UTC date counts.",
    "Each source, device and app has its own activity of a day, so do not add them up.",
    "If a source sends movement samples but no activity, the service derives one and marks it with `derived`.",
    "A derived activity has no resting heart rate and no minutes of intensity.",
    "With `explain=true`, each activity names its rivals from other sources and whether queries use it.",
    "Outside a history, new and changed days send `daily.data.activity.created` and `daily.data.activity.updated`.",
    "The list has no pages: if it exceeds 6 MB, the answer is `answer_too_large`, so ask for a shorter range.",
  ],
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ activity: z.array(explainableSummarySchema(activity)) }),
  agentTool: {
    name: "get_activity",
    description: [
      "Returns the activity of each day: steps, distance in metres, energy in kcal and heart rate.",
      "Each source has its own row of a day, so never add the rows of a day up.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "activity" },
    rest: "Call again with `start_date` at the day of the last item that you received, or with a shorter range.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  activity: await listExplainedSummaries(deps, scope, params.user_id, [activity, "activity"], query),
}));
