import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";

import { toWireUser, wireUser } from "../../lib/domain/users/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getUser",
  method: "GET",
  path: "/v2/user/{user_id}",
  tag: "users",
  summary: "Retrieve a user",
  description: [
    "Returns a user with the settings and the connected providers.",
    "The list `connected_sources` contains every connection, oldest first, also paused and failing ones.",
    "For the state of each connection, call `GET /v2/user/providers/{user_id}`.",
    "Unknown users and users in the grace period of a deletion answer `user_not_found`.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  response: wireUser,
  errors: [UserNotFound],
  access: [getItem(users)],
});

export const handler = implement(contract, async ({ scope, params }, { users }) => {
  const user = await users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  return toWireUser(user, providerSource);
});
