import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, queryResults, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireQueryResult } from "../../lib/domain/queries/wire-query.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readResultTable } from "../../lib/services/queries/continuous/compute-results.ts";
import { toParquetAnswer } from "../../lib/services/queries/parquet-answer.ts";
import { requireContinuousQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "getResultTableForContinuousQuery",
  method: "GET",
  path: "/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/result_table",
  tag: "aggregation",
  summary: "Retrieve the result table of a continuous query",
  description: [
    "Returns the stored result of a continuous query for a user, column by column, without a new computation.",
    "The service computes it again after new data, at the earliest 10 seconds later, and sends the differences.",
    "The event `continuous_query.result_table.changed` carries these rows.",
    "Before the first computation the columns are empty; `.../task_history` shows when it ran.",
    "`Accept: application/vnd.apache.parquet` returns a file instead of JSON.",
    "A query that your team does not have answers `not_found`.",
  ],
  auth: "team",
  params: userParams.extend({
    query_id_or_slug: z.string().min(1).max(128).describe("Id or slug of the continuous query"),
  }),
  query: noFields,
  response: wireQueryResult,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(continuousQueries), queryItems(continuousQueries), queryItems(queryResults)],
  memoryMb: 1024,
});

export const handler = implement(contract, async ({ scope, params, event }, deps) => {
  const user = await deps.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const query = await requireContinuousQuery(deps.continuousQueries, scope, params.query_id_or_slug);
  const result = await readResultTable(deps.queryResults, scope, user, query);
  return (await toParquetAnswer([result], event.headers.accept)) ?? { table: result.table };
});
