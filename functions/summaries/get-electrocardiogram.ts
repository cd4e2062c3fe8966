import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { electrocardiogram } from "../../lib/domain/summaries/electrocardiogram.ts";
import { datesQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOf } from "../../lib/domain/timeseries/query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/runtime/summary-list.ts";

/** Lists the electrocardiograms of a user, without voltages, by the UTC day of their start. */
export const contract = endpoint({
  operationId: "getElectrocardiogram",
  method: "GET",
  path: "/v2/summary/electrocardiogram/{user_id}",
  tag: "summaries",
  summary: "List electrocardiograms",
  auth: "team",
  params: userParams,
  query: datesQuery.extend(asOf),
  response: z.object({ electrocardiogram: z.array(electrocardiogram.wire) }),
  errors: [UserNotFound, NotPossible],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { electrocardiogram: await listSummaries(summaries, scope, params.user_id, electrocardiogram, query) };
});
