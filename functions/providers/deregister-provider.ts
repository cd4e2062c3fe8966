import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields, successResponse, userParams } from "../../lib/contract/shared-schemas.ts";
import { knownProvider } from "../../lib/domain/connections/providers/known-provider.ts";
import { isPhoneProvider } from "../../lib/domain/connections/providers/phone-providers.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { endConnection, endConnectionAccess } from "../../lib/services/connections/end-connection.ts";
import { disconnectPhoneProvider } from "../../lib/services/connections/phones/disconnect-phone-provider.ts";
import { loadDemoProviders } from "../../lib/simulators/load-demo-providers.ts";

export const contract = endpoint({
  operationId: "deregisterProvider",
  method: "DELETE",
  path: "/v2/user/{user_id}/{provider}",
  tag: "providers",
  summary: "Disconnect a user from a provider",
  description: [
    "Ends the connection of a user to a provider, and revokes the access there if the provider offers that.",
    "Access that another working connection to the same account uses stays.",
    "Data that the provider has delivered stays; to erase it, delete the user.",
    "The service deletes the credentials at once, even if the provider cannot be reached.",
    "For a provider on the phone, sessions from before send no more data of it (`connection_ended`).",
    "A session ends when it has no other provider, and a new sign-in connects the phone again.",
    "The consent of a connection through a link ends too, with `provider.consent.ended`; no other event follows.",
    "Without a connection to this provider, the answer is `not_found`.",
    "To stop pulls for a time only, use `POST /v2/link/bulk_pause`.",
  ],
  auth: "team",
  keyScope: "link",
  params: userParams.extend({ provider: knownProvider }),
  query: noFields,
  response: successResponse,
  errors: [UserNotFound, NotFound],
  access: endConnectionAccess,
});

export const handler = implement(contract, async ({ scope, params, log }, deps) => {
  if (isPhoneProvider(params.provider)) {
    await disconnectPhoneProvider(deps, scope, params.user_id, params.provider);
    return { success: true };
  }
  await endConnection({ ...deps, demoProviders: loadDemoProviders }, scope, params.user_id, params.provider, log);
  return { success: true };
});
