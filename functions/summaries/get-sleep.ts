import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { explainable } from "../../lib/domain/aggregation/explain-summary.ts";
import { sleep } from "../../lib/domain/summaries/sleep.ts";
import { explainedRangeQuery } from "../../lib/domain/timeseries/query.ts";
import { explainedSummaries } from "../../lib/runtime/aggregation/explained-summaries.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

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
  response: z.object({ sleep: z.array(explainable(sleep)) }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), get(sourcePriorities), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, uses) => ({
  sleep: await explainedSummaries(uses, scope, params.user_id, [sleep, "sleep"], query),
}));
