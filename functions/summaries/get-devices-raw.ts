import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { rawSummary } from "../../lib/domain/summaries/raw-summary.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { latestFirst, rawSummaryOf } from "../../lib/runtime/summary-list.ts";

/** Lists the devices of a user as their sources sent them, last changed first. */
export const contract = endpoint({
  operationId: "getDevicesRaw",
  method: "GET",
  path: "/v2/summary/devices/{user_id}/raw",
  tag: "summaries",
  summary: "List source data of devices",
  auth: "team",
  params: userParams,
  query: providerQuery,
  response: z.object({ devices: z.array(rawSummary) }),
  errors: [UserNotFound],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const found = await latestFirst(summaries, scope, params.user_id, devices, query.provider);
  return { devices: found.map(rawSummaryOf) };
});
