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

/** Lists the nights and naps of a user by calendar date. */
export const contract = endpoint({
  operationId: "getSleep",
  method: "GET",
  path: "/v2/summary/sleep/{user_id}",
  tag: "summaries",
  summary: "List sleep summaries",
  auth: "team",
  params: userParams,
  query: explainedRangeQuery,
  response: z.object({ sleep: z.array(explainableSummarySchema(sleep)) }),
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, deps) => ({
  sleep: await listExplainedSummaries(deps, scope, params.user_id, [sleep, "sleep"], query),
}));
