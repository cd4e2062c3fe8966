import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { openEnum } from "../../lib/contract/open-enum.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { providers } from "../../lib/domain/sources/providers.ts";
import { toWireProvider, wireProvider } from "../../lib/domain/sources/wire-provider.ts";
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
  params: nothing,
  query: z.object({
    source_type: openEnum(["app", "ble", "device", "lab", "provider"])
      .nullish()
      .meta({ description: "Only providers of this source type" }),
  }),
  response: z.array(wireProvider),
  access: [],
});

export const handler = implement(contract, async ({ query }) => {
  const wanted = query.source_type || undefined;
  const matching = providers.filter(({ sourceType }) => wanted === undefined || sourceType === wanted);
  return matching.map((provider) => toWireProvider(provider, baseUrl()));
});
