import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { sourcePriorities, users } from "../../lib/contract/resources.ts";
import { queryBoolean, userParams } from "../../lib/contract/shared-schemas.ts";
import { queryBatch, wireQueryResults } from "../../lib/domain/queries/wire-query.ts";
import { asOfQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { executeQueryBatch } from "../../lib/services/queries/execute-query-batch.ts";
import { toParquetAnswer } from "../../lib/services/queries/parquet-answer.ts";
import { readRowsAccess } from "../../lib/services/queries/read-rows.ts";
import { parseAsOf } from "../../lib/services/timeseries/parse-as-of.ts";

/** Runs aggregation queries over the data of a user and returns JSON or Parquet (docs/query.md). */
export const contract = endpoint({
  operationId: "queryOne",
  method: "POST",
  path: "/aggregate/v1/user/{user_id}/query",
  tag: "aggregation",
  summary: "Query the data of a user",
  auth: "team",
  keyScope: "read",
  params: userParams,
  query: z.object({ explain: queryBoolean.optional(), ...asOfQuery }),
  body: queryBatch,
  response: wireQueryResults,
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), getItem(sourcePriorities), ...readRowsAccess],
  memoryMb: 1769,
});

export const handler = implement(contract, async ({ scope, team, params, query, body, event, work }, deps) => {
  const user = await deps.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const { priorities } = await deps.sourcePriorities.get(scope);
  const defaultMerge = team.settings.source_merge;
  const queryContext = { scope, user, priorities, defaultMerge, asOfMs: parseAsOf(query), work };
  const answers = await executeQueryBatch(deps, queryContext, body, query.explain ?? false);
  const file = await toParquetAnswer(answers, event.headers.accept);
  return (
    file ?? { results: answers.map(({ table, explanation }) => ({ table, ...(explanation ? { explanation } : {}) })) }
  );
});
