import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { explainableSummarySchema } from "../../lib/domain/queries/explain/explain-summaries.ts";
import { sleep } from "../../lib/domain/summaries/sleep.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listExplainedSummaries } from "../../lib/services/queries/list-explained-summaries.ts";

export const contract = endpoint({
  operationId: "getSleep",
  method: "GET",
  path: "/v2/summary/sleep/{user_id}",
  tag: "summaries",
  summary: "List sleep summaries",
  description: [
    "Returns nights and naps with their stages, heart rate and scores, by the local day on which each one ends.",
    "The range includes both dates; of a date-time, the UTC date counts.",
    "A day can have several sleeps: `type` tells long and short sleep and naps apart, and each source has its own.",
    "Durations are in seconds, and `score` is the provider's own.",
    "With `explain=true`, each sleep names its rivals from other sources and whether queries use it.",
    "Outside a history, new and changed sleeps send `daily.data.sleep.created` and `daily.data.sleep.updated`.",
    "For the course of a night, read `GET /v2/timeseries/sleep/{sleep_id}/stream` or the sleep cycles.",
  ],
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ sleep: z.array(explainableSummarySchema(sleep)) }),
  agentTool: {
    name: "get_sleep",
    description: [
      "Returns nights and naps by the local day on which each one ends: stages in seconds, heart rate and scores.",
      "Each source has its own row.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "sleep" },
    rest: "Call again with `start_date` at the day of the last item that you received, or with a shorter range.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  sleep: await listExplainedSummaries(deps, scope, params.user_id, [sleep, "sleep"], query),
}));
