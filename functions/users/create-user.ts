import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireUser, userDraft, wireUser } from "../../lib/domain/users/user.ts";
import { ClientUserIdTaken, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { checkUserSettings } from "../../lib/services/users/check-user-settings.ts";
import { createUser, createUserAccess } from "../../lib/services/users/create-user.ts";

export const contract = endpoint({
  operationId: "createUser",
  method: "POST",
  path: "/v2/user",
  tag: "users",
  summary: "Create a user",
  description: [
    "Creates a user, to whom connections, data and orders then belong.",
    "Store the `user_id` of the response, because most routes take it in their path.",
    "If another user has the `client_user_id`, the answer is `client_user_id_taken` and names that user.",
    "You can therefore safely repeat a request whose response you did not receive.",
    "Without a `fallback_time_zone`, the zone is UTC.",
    "Without ingestion dates, the service accepts data of any day up to one day ahead.",
    "An `ingestion_end` before `ingestion_start` and a birth date in the future are refused.",
    "A team above its quota receives `quota_reached`; deleted users count until their grace period ends.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: userDraft,
  response: wireUser,
  errors: [ClientUserIdTaken, QuotaReached],
  access: createUserAccess,
});

export const handler = implement(contract, async ({ scope, team, body }, deps) => {
  checkUserSettings(body);
  return toWireUser(await createUser({ scope, team }, body, deps), providerSource);
});
