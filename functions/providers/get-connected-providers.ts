import * as z from "zod";
import { findPulledProvider } from "../../lib/connectors/connectors.ts";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { connectionCredentials, users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import {
  toWireConnectedProvider,
  wireConnectedProvider,
} from "../../lib/domain/connections/wire-connected-provider.ts";
import { type Connection, listConnections } from "../../lib/domain/users/user.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";
import { toResourceGrant } from "../../lib/services/connections/pulls/plan-history-pulls.ts";

export const contract = endpoint({
  operationId: "getConnectedProviders",
  method: "GET",
  path: "/v2/user/providers/{user_id}",
  tag: "providers",
  summary: "List the connected providers of a user",
  description: [
    "Returns each connection of a user, oldest first, with its status, the account there, and the reason of a failure.",
    "`connected` works, `paused` waits for the user to connect again, and `error` has lost its access.",
    "A failing connection also sends `provider.connection.error`; the user repairs it by connecting again.",
    "`resource_availability` lists what the provider can deliver. A resource is `unavailable` if the user denied a scope",
    "that it requires; `scope_requirements` names the scopes, and is null if the resource requires none.",
  ],
  auth: "team",
  params: userParams,
  query: noFields,
  response: z.object({ providers: z.array(wireConnectedProvider) }).meta({ id: "ConnectedProviders" }),
  agentTool: {
    name: "list_connections",
    description: ["Lists the providers that a user has connected, with the status of each connection."],
    reach: "user",
    shortening: { kind: "list", of: "providers" },
    rest: "The tool has no filter: read the data of one provider with the other tools.",
  },
  errors: [UserNotFound],
  access: [getItem(users), queryItems(connectionCredentials)],
});

export const handler = implement(contract, async ({ scope, params: { user_id } }, deps) => {
  const user = await deps.users.get(scope, user_id);
  if (!user) throw new UserNotFound();
  const accesses = await deps.connectionCredentials.list(scope, user_id);
  const toWire = async ([slug, made]: [string, Connection]) => {
    const access = accesses.find((one) => one.provider === slug && one.connected_on === made.created_on);
    const connector = access && (await findPulledProvider(slug));
    const grant = connector && toResourceGrant({ connector, scopes: access.scopes });
    return toWireConnectedProvider(providerSource(slug), made, grant);
  };
  return { providers: await Promise.all(listConnections(user).map(toWire)) };
});
