import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { users } from "../../lib/contract/resources.ts";
import { noFields, userParams } from "../../lib/contract/shared-schemas.ts";
import {
  toWireConnectedProvider,
  wireConnectedProvider,
} from "../../lib/domain/connections/wire-connected-provider.ts";
import { UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { providerSource } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getConnectedProviders",
  method: "GET",
  path: "/v2/user/providers/{user_id}",
  tag: "providers",
  summary: "List the connected providers of a user",
  description: [
    "Returns each connection of a user with its status, the account there, and the reason of a failure.",
    "`connected` works, `paused` waits for the user to connect again, and `error` has lost its access.",
    "A failing connection also sends `provider.connection.error`; the user repairs it by connecting again.",
    "`resource_availability` lists what the provider can deliver in general, whatever the user granted.",
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
  access: [getItem(users)],
});

export const handler = implement(contract, async ({ scope, params }, { users }) => {
  const user = await users.get(scope, params.user_id);
  if (!user) throw new UserNotFound();
  const connections = Object.entries(user.connections);
  return { providers: connections.map(([slug, made]) => toWireConnectedProvider(providerSource(slug), made)) };
});
