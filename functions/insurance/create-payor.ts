import { putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { payors } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { payorDraft, toWirePayor, wirePayor } from "../../lib/domain/insurance/payor.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { derivePayorCode } from "../../lib/services/insurance/payors.ts";

export const contract = endpoint({
  operationId: "createPayor",
  method: "POST",
  path: "/v3/payor",
  tag: "insurance",
  summary: "Create a payor of the team",
  description: [
    "Adds a payor for your team, if the search finds none; other teams do not see it.",
    "The code derives from name, address and clearing house id, so the same payor gets the same code again.",
    "Names that differ only in case give one payor. A payor cannot be changed or deleted.",
    "`provider_payor_id` is the id of the payor at the clearing house in `provider`.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: payorDraft,
  response: wirePayor,
  access: [putItem(payors)],
});

export const handler = implement(contract, async ({ scope, body }, { payors }) => {
  const { name, address, provider, provider_payor_id } = body;
  const draft = { name, aliases: [], org_address: address, source: "team", provider, provider_payor_id };
  const payor = { payor_code: derivePayorCode(draft), ...draft };
  await payors.putIfAbsent(scope, payor);
  return toWirePayor(payor);
});
