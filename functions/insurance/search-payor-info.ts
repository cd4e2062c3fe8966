import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { payors } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { payorSearch, searchPayors, toWirePayorWithCode, wirePayorWithCode } from "../../lib/domain/insurance/payor.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadPayors } from "../../lib/services/insurance/payors.ts";

export const contract = endpoint({
  operationId: "searchPayorInfo",
  method: "POST",
  path: "/v3/insurance/search/payor",
  tag: "insurance",
  summary: "Search payors (deprecated, use GET)",
  description: [
    "Does the same search as `GET /v3/insurance/search/payor`, which replaces it.",
    "Its responses have `code` in place of `payor_code`, and it reads `provider_id` in place of `provider_payor_id`.",
    "The response has at most 100 payors, best match first.",
  ],
  auth: "team",
  deprecated: true,
  params: noFields,
  query: noFields,
  body: z.object({
    insurance_name: payorSearch.insurance_name,
    provider: payorSearch.provider,
    provider_id: payorSearch.id,
  }),
  response: z.array(wirePayorWithCode),
  access: [queryItems(payors)],
});

export const handler = implement(contract, async ({ scope, body }, { payors }) => {
  const all = [...(await loadPayors()), ...(await payors.list(scope))];
  const { insurance_name: name, provider, provider_id: providerPayorId } = body;
  return searchPayors(all, { name, provider, providerPayorId }).map(toWirePayorWithCode);
});
