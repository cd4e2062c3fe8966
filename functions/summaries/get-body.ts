import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { explainableSummarySchema } from "../../lib/domain/queries/explain/explain-summaries.ts";
import { body } from "../../lib/domain/summaries/body.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listExplainedSummaries } from "../../lib/services/queries/list-explained-summaries.ts";

export const contract = endpoint({
  operationId: "getBody",
  method: "GET",
  path: "/v2/summary/body/{user_id}",
  tag: "summaries",
  summary: "List body summaries",
  description: [
    "Returns the body measurements of each day, such as weight, body fat and waist, oldest day first.",
    "A day is the user's local day, and the range includes both dates; of a date-time, the UTC date counts.",
    "Each source, device and app has its own summary of a day, with null for what it did not measure.",
    "For each single weighing, read the timeseries `body_weight` and `body_fat`.",
    "With `explain=true`, each summary names its rivals from other sources and whether queries use it.",
    "Outside a history, new and changed days send `daily.data.body.created` and `daily.data.body.updated`.",
  ],
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ body: z.array(explainableSummarySchema(body)) }),
  agentTool: {
    name: "get_body",
    description: [
      "Returns the body measurements of each day: weight in kg, body fat in percent, and others.",
      "Each source has its own row.",
    ],
    reach: "user",
    shortening: { kind: "list", of: "body" },
    rest: "Call again with `start_date` at the day of the last item that you received, or with a shorter range.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  body: await listExplainedSummaries(deps, scope, params.user_id, [body, "body"], query),
}));
