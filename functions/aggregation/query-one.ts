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

export const contract = endpoint({
  operationId: "queryOne",
  method: "POST",
  path: "/aggregate/v1/user/{user_id}/query",
  tag: "aggregation",
  summary: "Query the data of a user",
  description: [
    "Computes sums, means, groups by time and other aggregates over the data of a user, for one timeframe.",
    "It merges sources so that no value counts twice; for the samples themselves, read the timeseries.",
    "All times are the user's local time without an offset, and a day has 23 to 25 hours.",
    "`config.merge` selects the merge rule: by default that of your team, otherwise `strict`.",
    "A request holds 50 queries, reads 10,000,000 values and returns 200,000 cells; one query reads 2,000,000 samples.",
    "With `explain=true`, a request reads at most 600,000 values, and a query has at most 1,500 groups.",
    "Beyond a limit, and for an invalid query, the answer is `validation_failed`, with the place and the reason.",
    "The header `Accept` with `application/vnd.apache.parquet` returns one result as a Parquet file.",
  ],
  auth: "team",
  keyScope: "read",
  params: userParams,
  query: z.object({
    explain: queryBoolean.optional().describe("Whether to explain each value by its sources"),
    ...asOfQuery,
  }),
  body: queryBatch,
  response: wireQueryResults,
  agentTool: {
    name: "query_data",
    description: [
      "Computes sums, means, counts and other aggregates of a user's data, grouped by local time or source.",
      "Sources are merged so that no value counts twice.",
      "With `explain` true, each value names its sources.",
      "Prefer it to get_samples for totals and trends.",
    ],
    reach: "user",
    shortening: { kind: "rows" },
    rest: "Call again with a later `timeframe.anchor` and a shorter `past`, with coarser groups, or without `explain`.",
  },
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
