import { put } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { reservations, users } from "../../lib/contract/resources.ts";

import { newUser, toWireUser, userDraft, wireUser } from "../../lib/domain/user.ts";
import { ClientUserIdTaken } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Creates a user. A taken `client_user_id` names its holder, so that creation can be repeated safely (spec, Errors 1). */
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
  errors: [ClientUserIdTaken],
  access: [put(users), put(reservations)],
});

export const handler = implement(contract, async ({ scope, body }, { users, reservations, commit }) => {
  const user = newUser(body, { userId: ports().ids.uuid(), teamId: scope.teamId }, isoNow());
  try {
    await commit([users.createItem(scope, user), reservations.takeItem(scope, user)]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw ClientUserIdTaken.by(error.items.get(1));
  }
  return toWireUser(user, providerSource);
});
