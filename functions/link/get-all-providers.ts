import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireSourceLink, wireSourceLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { providers } from "../../lib/domain/connections/providers/providers.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "getAllProviders",
  method: "GET",
  path: "/v2/link/providers",
  tag: "link",
  summary: "List providers in the link flow",
  description: [
    "Returns the providers with a way to connect them, with the fields of their login forms.",
    "The list ignores the limits of the token and the applications of the deployment.",
    "For what the user can connect now, take `shown_providers` of `GET /v2/link/token`.",
    "`oauth_url` is always null here; `GET /v2/link/provider/oauth/{oauth_provider}` creates one.",
  ],
  auth: "link",
  params: noFields,
  query: noFields,
  response: z.array(wireSourceLink),
  access: [],
});

export const handler = implement(contract, async () =>
  providers.filter(({ authType }) => authType !== null).map((provider) => toWireSourceLink(provider, baseUrl())),
);
