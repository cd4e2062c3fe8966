import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireUser, userDraft, wireUser } from "../../lib/domain/users/user.ts";
import { ClientUserIdTaken, QuotaReached } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { createUser, createUserAccess } from "../../lib/services/users/create-user.ts";

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
  params: noFields,
  query: noFields,
  body: userDraft,
  response: wireUser,
  errors: [ClientUserIdTaken, QuotaReached],
  access: createUserAccess,
});

export const handler = implement(contract, async ({ scope, team, body }, deps) =>
  toWireUser(await createUser({ scope, team }, body, deps), providerSource),
);
