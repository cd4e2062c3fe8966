import { update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success, userParams } from "../../lib/contract/parts.ts";
import { users } from "../../lib/contract/resources.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Ends the connection of a user to a provider; what it delivered stays. */
export const contract = endpoint({
  operationId: "deregisterProvider",
  method: "DELETE",
  path: "/v2/user/{user_id}/{provider}",
  tag: "providers",
  summary: "End the connection of a user to a provider",
  auth: "team",
  params: userParams.extend({ provider: knownProvider }),
  query: nothing,
  response: success,
  errors: [UserNotFound, NotFound],
  access: [update(users)],
});

export const handler = implement(contract, async ({ scope, params }, { users, commit }) => {
  try {
    await commit([users.disconnectItem(scope, params.user_id, params.provider)]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const isThere = error.items.get(0)?.lifecycle === "active";
    throw isThere ? new NotFound("The user is not connected to this provider.") : new UserNotFound();
  }
  return { success: true };
});
