import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { payors } from "../../lib/contract/resources.ts";
import { payorSearch, searchPayors, toWirePayorWithCode, wirePayorWithCode } from "../../lib/domain/insurance/payor.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listedPayors } from "../../lib/runtime/payors.ts";

/** Former POST version of the payor search, which returns the code as `code`. */
export const contract = endpoint({
  operationId: "searchPayorInfo",
  method: "POST",
  path: "/v3/insurance/search/payor",
  tag: "insurance",
  summary: "Search payors (deprecated, use GET)",
  auth: "team",
  deprecated: true,
  params: nothing,
  query: nothing,
  body: z.object({
    insurance_name: payorSearch.insurance_name,
    provider: payorSearch.provider,
    provider_id: payorSearch.id,
  }),
  response: z.array(wirePayorWithCode),
  access: [query(payors)],
});

export const handler = implement(contract, async ({ scope, body }, { payors }) => {
  const all = [...(await listedPayors()), ...(await payors.list(scope))];
  const { insurance_name: name, provider, provider_id: providerPayorId } = body;
  return searchPayors(all, { name, provider, providerPayorId }).map(toWirePayorWithCode);
});
