import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { summaries, users } from "../../lib/contract/resources.ts";
import { userParams } from "../../lib/contract/shared-schemas.ts";
import { userKeyAccess } from "../../lib/contract/user-key-access.ts";
import { devices } from "../../lib/domain/summaries/devices.ts";
import { rawSummary } from "../../lib/domain/summaries/raw-summary.ts";
import { providerQuery } from "../../lib/domain/summaries/summary-query.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLatestSummaries, toRawStoredSummary } from "../../lib/services/summaries/list-summaries.ts";

export const contract = endpoint({
  operationId: "getDevicesRaw",
  method: "GET",
  path: "/v2/summary/devices/{user_id}/raw",
  tag: "summaries",
  summary: "List source data of devices",
  description: [
    "Returns the devices of a user with the fields as ingested in `data`, last changed first.",
    "Use it to see what a source said about a device; for everything else call `GET /v2/user/{user_id}/device`.",
    "Set `provider` to read the devices of one provider.",
  ],
  auth: "team",
  params: userParams,
  query: providerQuery,
  response: z.object({ devices: z.array(rawSummary) }),
  errors: [UserNotFound],
  access: [getItem(users), queryItems(summaries), ...userKeyAccess],
});

export const handler = implement(contract, async ({ scope, params, query }, { users, summaries }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const found = await listLatestSummaries(summaries, scope, params.user_id, devices, query.provider);
  return { devices: found.map(toRawStoredSummary) };
});
