import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { sleepCycle } from "../../lib/domain/summaries/sleep-cycle.ts";
import { dateRangeQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOfQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getSleepCycle",
  method: "GET",
  path: "/v2/summary/sleep_cycle/{user_id}",
  tag: "summaries",
  summary: "List sleep cycles",
  description: [
    "Returns the stages of each sleep as intervals, by the UTC date of the start of the sleep.",
    "The sleep of the same night has the date of its end, so start the range a day earlier.",
    "The three lists have equal length; offsets are seconds after `session_start`.",
    "The `sleep_id` is that of the sleep with the same source and start, which may arrive later or never.",
    "Outside a history, changes send `daily.data.sleep_cycle.created` and `daily.data.sleep_cycle.updated`.",
  ],
  auth: "team",
  params: userParams,
  query: dateRangeQuery.extend(asOfQuery),
  response: z.object({ sleep_cycle: z.array(sleepCycle.wire) }),
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { sleep_cycle: await listSummaries(summaries, scope, params.user_id, sleepCycle, query) };
});
