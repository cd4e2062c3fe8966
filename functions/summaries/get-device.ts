import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { toWireStoredSummary } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getDevice",
  method: "GET",
  path: "/v2/user/{user_id}/device/{device_id}",
  tag: "summaries",
  summary: "Retrieve a device of a user",
  description: [
    "Returns one device of a user by the service's `id`, as in `GET /v2/user/{user_id}/device`.",
    "The path takes this `id`, not the provider's `device_id`.",
    "A device of another user, or an unknown one, answers `not_found`.",
  ],
  auth: "team",
  params: userParams.extend({
    device_id: z.guid().toLowerCase().meta({ description: "The service's id of the device" }),
  }),
  query: noFields,
  response: devices.wire,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const all = await summaries.listAll(scope, params.user_id, devices);
  const device = all.find(({ id }) => id === params.device_id);
  if (!device) throw new NotFound("The user has no device with this id.");
  return toWireStoredSummary(devices, device);
});
