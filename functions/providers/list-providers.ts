import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { providers } from "../../lib/domain/connections/providers/providers.ts";
import { toWireProvider, wireProvider } from "../../lib/domain/connections/providers/wire-provider.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { baseUrl } from "../../lib/runtime/wire-source.ts";

/** Lists the providers that users can connect. */
export const contract = endpoint({
  operationId: "listProviders",
  method: "GET",
  path: "/v2/providers",
  tag: "providers",
  summary: "List providers",
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
