import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { providers } from "../../lib/domain/connections/providers/providers.ts";
import { toWireProvider, wireProvider } from "../../lib/domain/connections/providers/wire-provider.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

export const contract = endpoint({
  operationId: "listProviders",
  method: "GET",
  path: "/v2/providers",
  tag: "providers",
  summary: "List providers",
  description: [
    "Returns every provider of the catalogue with its kind of authentication and its resources.",
    "The list does not depend on your team: a provider may still need an application or a phone.",
    "For what a user can connect now, read `shown_providers` of `GET /v2/link/token`.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    source_type: openEnum(["app", "ble", "device", "lab", "provider"])
      .nullish()
      .meta({ description: "Only providers of this source type" }),
  }),
  response: z.array(wireProvider),
  access: [],
});

export const handler = implement(contract, async ({ query }) => {
  const sourceTypeFilter = query.source_type || undefined;
  const matching = providers.filter(
    ({ sourceType }) => sourceTypeFilter === undefined || sourceType === sourceTypeFilter,
  );
  return matching.map((provider) => toWireProvider(provider, baseUrl()));
});
