import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { meal } from "../../lib/domain/summaries/meal.ts";
import { asOfQuery, rangeQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getMeal",
  method: "GET",
  path: "/v2/summary/meal/{user_id}",
  tag: "summaries",
  summary: "List meals",
  description: [
    "Returns meals with their nutrients and foods, by the local day on which each one was eaten.",
    "The range includes both dates; of a date-time, the UTC date counts.",
    "The `provider_id` identifies a meal; without one from the provider, it is the instant of the meal.",
    "A meal without a valid name is called `Unknown`.",
    "Outside a history, new and changed meals send `daily.data.meal.created` and `daily.data.meal.updated`.",
    "A meal that was just stored may appear a moment late.",
  ],
  auth: "team",
  params: userParams,
  query: rangeQuery.extend(asOfQuery),
  response: z.object({ meals: z.array(meal.wire) }),
  agentTool: {
    name: "get_meals",
    description: ["Returns meals with their nutrients and foods, by the local day on which each one was eaten."],
    reach: "user",
    shortening: { kind: "list", of: "meals" },
    rest: "Call again with `start_date` at the day of the last item that you received, or with a shorter range.",
  },
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), queryItems(summaries, "by_day"), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { meals: await listSummaries(summaries, scope, params.user_id, meal, query) };
});
