import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import {
  anyRawSummaryResponse,
  rawSummaryKindNames,
  rawSummaryKinds,
  rawSummaryResponse,
} from "../../lib/domain/summaries/raw-summary.ts";
import { rangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listRawSummaries } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getSummariesRaw",
  method: "GET",
  path: "/v2/summary/{kind}/{user_id}/raw",
  tag: "summaries",
  summary: "List source data of summaries",
  description: [
    "Returns activities, sleeps, workouts or body measurements with the fields as ingested in `data`.",
    "Use it to trace a value to its source; other reads return the same summaries with their fields at the top.",
    "Activities that the service derived from samples are missing, because no source sent them.",
    "Summaries have the day of the other reads: sleep that of its end, workouts that of their start.",
    "The range includes both dates; of a date-time, the UTC date counts.",
    "A workout also has `sport` and `sport_id`.",
  ],
  auth: "team",
  params: userParams.extend({ kind: z.enum(rawSummaryKindNames) }),
  query: rangeQuery,
  response: anyRawSummaryResponse,
  expand: { param: "kind", response: rawSummaryResponse },
  errors: [UserNotFound],
  access: [getItem(users), queryItems(summaries), queryItems(summaries, "by_day"), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const kind = rawSummaryKinds[params.kind];
  return { [params.kind]: await listRawSummaries(summaries, scope, params.user_id, kind, query) };
});
