import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { remaps, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import { toWireRemap, wireRemap } from "../../lib/domain/connections/raw-payloads/remap.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getRemap",
  method: "GET",
  path: "/v2/raw_payloads/{user_id}/remap",
  tag: "providers",
  summary: "Retrieve the last remap of a user",
  description: [
    "Returns the progress of the last remap of a user, with the numbers of records by resource.",
    "The numbers are final once the status is `done`; the service keeps them for 30 days.",
    "`incomplete` pulls lack a payload that the current mapper reads, so the remap leaves their data as it is.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  response: wireRemap,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), getItem(remaps)],
});

export const handler = implement(contract, async ({ scope, params }, { users, remaps }) => {
  if (!(await users.get(scope, params.user_id))) throw new UserNotFound();
  const job = await remaps.get(scope, params.user_id);
  if (!job) throw new NotFound("This user has no remap.");
  return toWireRemap(job);
});
