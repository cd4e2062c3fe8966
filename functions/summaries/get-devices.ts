import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { latestFirst, wireSummaryOf } from "../../lib/runtime/summary-list.ts";

/** Lists the devices of a user, last changed first. */
export const contract = endpoint({
  operationId: "getDevices",
  method: "GET",
  path: "/v2/user/{user_id}/device",
  tag: "summaries",
  summary: "List the devices of a user",
  auth: "team",
  params: userParams,
  query: nothing,
  response: z.array(devices.wire),
  errors: [UserNotFound],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const found = await latestFirst(summaries, scope, params.user_id, devices, "");
  return found.map((device) => wireSummaryOf(devices, device));
});
