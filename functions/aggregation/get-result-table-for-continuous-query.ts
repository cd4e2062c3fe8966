import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { continuousQueries, queryResults, users } from "../../lib/contract/resources.ts";
import { wireResult } from "../../lib/domain/aggregation/wire-query.ts";
import { parquetAnswer } from "../../lib/runtime/aggregation/result-answer.ts";
import { resultTable } from "../../lib/runtime/continuous-queries/computing.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireQuery } from "../../lib/runtime/team-queries.ts";

/** Returns the latest computed result of a continuous query for a user, as JSON or Parquet. */
export const contract = endpoint({
  operationId: "getResultTableForContinuousQuery",
  method: "GET",
  path: "/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table",
  tag: "aggregation",
  summary: "Retrieve the result table of a continuous query",
  auth: "team",
  params: userParams.extend({ query_id_or_slug: z.string().min(1).max(128) }),
  query: nothing,
  response: wireResult,
  errors: [UserNotFound, NotFound],
  access: [get(users), get(continuousQueries), query(continuousQueries), query(queryResults)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, event }, uses) => {
  const user = await uses.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const query = await requireQuery(uses.continuousQueries, scope, params.query_id_or_slug);
  const result = await resultTable(uses.queryResults, scope, user, query);
  return (await parquetAnswer([result], event.headers.accept)) ?? { table: result.table };
});
