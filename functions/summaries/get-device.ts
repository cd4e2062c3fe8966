import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, userParams } from "../../lib/contract/parts.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { underUserKeys } from "../../lib/contract/sealed.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { wireSummaryOf } from "../../lib/runtime/summary-list.ts";

/** Returns one device of a user. */
export const contract = endpoint({
  operationId: "getDevice",
  method: "GET",
  path: "/v2/user/{user_id}/device/{device_id}",
  tag: "summaries",
  summary: "Retrieve a device of a user",
  auth: "team",
  params: userParams.extend({
    device_id: z.guid().toLowerCase().meta({ description: "The service's id of the device" }),
  }),
  query: nothing,
  response: devices.wire,
  errors: [UserNotFound, NotFound],
  access: [get(users), query(summaries), ...underUserKeys],
});

export const handler = implement(contract, async ({ scope, params }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const all = await summaries.all(scope, params.user_id, devices);
  const device = all.find(({ id }) => id === params.device_id);
  if (!device) throw new NotFound("The user has no device with this id.");
  return wireSummaryOf(devices, device);
});
