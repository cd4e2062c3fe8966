import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireSourceLink, wireSourceLink } from "../../lib/domain/connections/link/wire-link-source.ts";
import { providers } from "../../lib/domain/connections/providers/providers.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

/** Lists the providers that a user can connect. The provider filter of the link token applies to the link page only. */
export const contract = endpoint({
  operationId: "getAllProviders",
  method: "GET",
  path: "/v2/link/providers",
  tag: "link",
  summary: "List providers in the link flow",
  auth: "link",
  params: noFields,
  query: noFields,
  response: z.array(wireSourceLink),
  access: [],
});

export const handler = implement(contract, async () =>
  providers.filter(({ authType }) => authType !== null).map((provider) => toWireSourceLink(provider, baseUrl())),
);
