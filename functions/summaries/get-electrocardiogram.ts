import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { electrocardiogram } from "../../lib/domain/summaries/electrocardiogram.ts";
import { dateRangeQuery } from "../../lib/domain/summaries/summary-query.ts";
import { asOfQuery } from "../../lib/domain/timeseries/range-query.ts";
import { NotPossible, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listSummaries } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getElectrocardiogram",
  method: "GET",
  path: "/v2/summary/electrocardiogram/{user_id}",
  tag: "summaries",
  summary: "List electrocardiograms",
  description: [
    "Returns electrocardiograms with classification and mean heart rate, by the UTC date of their start.",
    "The UTC date can differ from the local day of a recording near midnight.",
    "The voltages are not part of it: read the timeseries `electrocardiogram_voltage` of the same time.",
    "Outside a history, each sends `daily.data.electrocardiogram.created` and `daily.data.electrocardiogram.updated`.",
  ],
  auth: "team",
  params: userParams,
  query: dateRangeQuery.extend(asOfQuery),
  response: z.object({ electrocardiogram: z.array(electrocardiogram.wire) }),
  errors: [UserNotFound, NotPossible],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  return { electrocardiogram: await listSummaries(summaries, scope, params.user_id, electrocardiogram, query) };
});
