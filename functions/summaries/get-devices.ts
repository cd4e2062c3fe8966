import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLatestSummaries, toWireStoredSummary } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getDevices",
  method: "GET",
  path: "/v2/user/{user_id}/device",
  tag: "summaries",
  summary: "List the devices of a user",
  description: [
    "Returns the devices that recorded data of a user, such as watches, rings and scales, last changed first.",
    "A device appears once its source names it in a record of the kind `devices`.",
    "The `device_id` is the provider's, as in `source.device_id` of summaries and samples; `id` is the service's.",
    "The service sends `provider.device.created` for a new device, and `provider.device.updated` for changed data.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  response: z.array(devices.wire),
  errors: [UserNotFound],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const found = await listLatestSummaries(summaries, scope, params.user_id, devices, "");
  return found.map((device) => toWireStoredSummary(devices, device));
});
