import { put, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { quotas, reservations, users } from "../../lib/contract/resources.ts";
import { makingUserKeys } from "../../lib/contract/sealed.ts";
import { toWireUser, userDraft, wireUser } from "../../lib/domain/user.ts";
import { ClientUserIdTaken, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { createUserOf } from "../../lib/runtime/users/creating-users.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

/**
 * Creates a user. If the `client_user_id` is taken, the error names its holder, so that you can safely repeat the
 * request.
 */
export const contract = endpoint({
  operationId: "createUser",
  method: "POST",
  path: "/v2/user",
  tag: "users",
  summary: "Create a user",
  auth: "team",
  params: nothing,
  query: nothing,
  body: userDraft,
  response: wireUser,
  errors: [ClientUserIdTaken, QuotaReached],
  access: [put(users), put(reservations), update(quotas), ...makingUserKeys],
});

export const handler = implement(contract, async ({ scope, team, body }, uses) =>
  toWireUser(await createUserOf({ scope, team }, body, uses), providerSource),
);
