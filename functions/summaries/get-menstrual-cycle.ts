import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { menstrualCycle } from "../../lib/domain/summaries/menstrual-cycle.ts";
import { dateRangeQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOfQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getMenstrualCycle",
  method: "GET",
  path: "/v2/summary/menstrual_cycle/{user_id}",
  tag: "summaries",
  summary: "List menstrual cycles",
  description: [
    "Returns menstrual cycles with bleeding, tests and other entries, by the first day of the period.",
    "A cycle that began before `start_date` is missing, even if it continues in the range.",
    "Forecasts appear too, with `is_predicted`, and may lie in the future.",
    "The fields `period_end` and `cycle_end` are null as long as the source does not know them.",
    "Outside a history, changes send `daily.data.menstrual_cycle.created` and `daily.data.menstrual_cycle.updated`.",
  ],
  auth: "team",
  params: userParams,
  query: dateRangeQuery.extend(asOfQuery),
  response: z.object({ menstrual_cycle: z.array(menstrualCycle.wire) }),
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { menstrual_cycle: await listSummaries(summaries, scope, params.user_id, menstrualCycle, query) };
});
