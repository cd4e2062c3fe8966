import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { anyRawResponse, rawKindNames, rawKinds, rawResponse } from "../../lib/domain/summaries/raw-summary.ts";
import { rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listRawSummaries } from "../../lib/runtime/summary-list.ts";

/** Lists the summaries of one kind as their sources sent them, by calendar date. */
export const contract = endpoint({
  operationId: "getSummariesRaw",
  method: "GET",
  path: "/v2/summary/{kind}/{user_id}/raw",
  tag: "summaries",
  summary: "List source data of summaries",
  auth: "team",
  params: userParams.extend({ kind: z.enum(rawKindNames) }),
  query: rangeQuery,
  response: anyRawResponse,
  expand: { param: "kind", response: rawResponse },
  errors: [UserNotFound],
  access: [get(users), query(summaries), query(summaries, "by_day"), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const kind = rawKinds[params.kind];
  return { [params.kind]: await listRawSummaries(summaries, scope, params.user_id, kind, query) };
});
