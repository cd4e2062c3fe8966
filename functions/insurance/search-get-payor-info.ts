import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { payors } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { payorSearch, searchPayors, toWirePayor, wirePayor } from "../../lib/domain/insurance/payor.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadPayors } from "../../lib/services/insurance/payors.ts";

export const contract = endpoint({
  operationId: "searchGetPayorInfo",
  method: "GET",
  path: "/v3/insurance/search/payor",
  tag: "insurance",
  summary: "Search payors",
  description: [
    "Searches the payors of the service and those of your team, for the `payor_code` of an insurance.",
    "The name matches beginnings of words in names and aliases, in any order, with one typo in each word.",
    "If no payor matches all words, the first word alone decides.",
    "The response has at most 100 payors, best match first; without a name, the first by name.",
    "`provider` and `provider_payor_id` find only payors of your team, because those of the service have no such ids.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    insurance_name: payorSearch.insurance_name,
    provider: payorSearch.provider,
    provider_payor_id: payorSearch.id,
  }),
  response: z.array(wirePayor),
  access: [queryItems(payors)],
});

export const handler = implement(contract, async ({ scope, query }, { payors }) => {
  const all = [...(await loadPayors()), ...(await payors.list(scope))];
  const { insurance_name: name, provider, provider_payor_id: providerPayorId } = query;
  return searchPayors(all, { name, provider, providerPayorId }).map(toWirePayor);
});
