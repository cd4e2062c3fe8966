import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, successResponse, userParams } from "../../lib/contract/shared-schemas.ts";
import { isPhoneProvider } from "../../lib/domain/connections/providers/phone-providers.ts";
import { knownProvider } from "../../lib/domain/connections/providers/providers.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { endConnection, endConnectionAccess } from "../../lib/services/connections/end-connection.ts";
import { disconnectPhoneProvider } from "../../lib/services/connections/phones/disconnect-phone-provider.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "deregisterProvider",
  method: "DELETE",
  path: "/v2/user/{user_id}/{provider}",
  tag: "providers",
  summary: "Disconnect a user from a provider",
  description: [
    "Ends the connection of a user to a provider, and revokes the access there if the provider offers that.",
    "Data that the provider has delivered stays; to erase it, delete the user.",
    "The service deletes the credentials at once, even if the provider cannot be reached.",
    "For a provider on the phone, sessions from before send no more data of it (`connection_ended`).",
    "A session ends when it has no other provider, and a new sign-in connects the phone again.",
    "No event announces the end; without a connection to this provider, the answer is `not_found`.",
    "To stop pulls for a time only, use `POST /v2/link/bulk_pause`.",
  ],
  auth: "team",
  keyScope: "link",
  params: userParams.extend({ provider: knownProvider }),
  query: noFields,
  response: successResponse,
  errors: [UserNotFound, NotFound],
  access: [getItem(users), ...endConnectionAccess],
});

export const handler = implement(contract, async ({ scope, params, log }, deps) => {
  if (isPhoneProvider(params.provider)) {
    await disconnectPhoneProvider(deps, scope, params.user_id, params.provider);
    return { success: true };
  }
  const user = await deps.users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const ended = endConnection({ ...deps, demoProviders: loadDemoProviders }, scope, user, params.provider, log);
  await explainConditionFailed(ended, ({ items }) => {
    const isThere = items.get(0)?.lifecycle === "active";
    return isThere ? new NotFound("The user is not connected to this provider.") : new UserNotFound();
  });
  return { success: true };
});
