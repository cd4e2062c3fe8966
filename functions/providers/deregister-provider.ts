import { endConnection } from "../../lib/connections/ending.ts";
import { get, open, remove, reveal, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, success, userParams } from "../../lib/contract/parts.ts";
import {
  connectionCredentials,
  credentialsKey,
  customCredentials,
  providerAccounts,
  providerApps,
  users,
} from "../../lib/contract/resources.ts";
import { knownProvider } from "../../lib/domain/sources/providers.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { demoProviders } from "../../lib/simulators/demo-providers.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Ends the connection of a user to a provider. Delivered data stays. */
export const contract = endpoint({
  operationId: "deregisterProvider",
  method: "DELETE",
  path: "/v2/user/{user_id}/{provider}",
  tag: "providers",
  summary: "Disconnect a user from a provider",
  auth: "team",
  keyScope: "link",
  params: userParams.extend({ provider: knownProvider }),
  query: nothing,
  response: success,
  errors: [UserNotFound, NotFound],
  access: [
    ...([get(users), update(users), get(connectionCredentials), remove(connectionCredentials)] as const),
    ...([
      update(providerAccounts),
      get(customCredentials),
      open(credentialsKey, "connection", "custom_credentials"),
      reveal(providerApps),
    ] as const),
  ],
});

export const handler = implement(contract, async ({ scope, params, log }, uses) => {
  const user = await uses.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  try {
    await endConnection({ ...uses, demoProviders }, scope, user, params.provider, log);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const isThere = error.items.get(0)?.lifecycle === "active";
    throw isThere ? new NotFound("The user is not connected to this provider.") : new UserNotFound();
  }
  return { success: true };
});
