import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { payors } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { payorSearch, searchPayors, toWirePayor, wirePayor } from "../../lib/domain/insurance/payor.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadPayors } from "../../lib/services/insurance/payors.ts";

/** Searches the payors of the service and of the team, by name or by the id of a clearing house. */
export const contract = endpoint({
  operationId: "searchGetPayorInfo",
  method: "GET",
  path: "/v3/insurance/search/payor",
  tag: "insurance",
  summary: "Search payors",
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
