import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { queryBoolean, userParams } from "../../lib/contract/parts.ts";
import { chunks, sourcePriorities, summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { queryBatch, wireResults } from "../../lib/domain/aggregation/wire-query.ts";
import { asOf } from "../../lib/domain/timeseries/query.ts";
import { answerBatch } from "../../lib/runtime/aggregation/answering.ts";
import { parquetAnswer } from "../../lib/runtime/aggregation/result-answer.ts";
import { asOfMs } from "../../lib/runtime/as-of.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

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
  query: z.object({ explain: queryBoolean.optional(), ...asOf }),
  body: queryBatch,
  response: wireResults,
  errors: [UserNotFound, NotPossible],
  access: [
    get(users),
    get(sourcePriorities),
    query(chunks),
    ...underUserKeys,
    query(summaries),
    query(summaries, "by_day"),
  ],
  memoryMb: 1769,
});

export const handler = implement(contract, async ({ scope, params, query, body, event, work }, uses) => {
  const user = await uses.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const { priorities } = await uses.sourcePriorities.get(scope);
  const asking = { scope, user, priorities, asOfMs: asOfMs(query), work };
  const answers = await answerBatch(uses, asking, body, query.explain ?? false);
  const file = await parquetAnswer(answers, event.headers.accept);
  return (
    file ?? { results: answers.map(({ table, explanation }) => ({ table, ...(explanation ? { explanation } : {}) })) }
  );
});
