import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { meal } from "../../lib/domain/summaries/meal.ts";
import { asOf, rangeQuery } from "../../lib/domain/timeseries/query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/runtime/summary-list.ts";

/** Lists the meals of a user by calendar date. */
export const contract = endpoint({
  operationId: "getMeal",
  method: "GET",
  path: "/v2/summary/meal/{user_id}",
  tag: "summaries",
  summary: "List meals",
  auth: "team",
  params: userParams,
  query: rangeQuery.extend(asOf),
  response: z.object({ meals: z.array(meal.wire) }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), query(summaries, "by_day"), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { meals: await listSummaries(summaries, scope, params.user_id, meal, query) };
});
