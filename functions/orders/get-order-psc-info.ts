import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, orders, users } from "../../lib/contract/resources.ts";
import { orderParams } from "../../lib/domain/orders/wire-placed-order.ts";
import { searchRadii } from "../../lib/domain/places/nearest-sites.ts";
import { capabilitySpellings, wirePscInfo } from "../../lib/domain/places/wire-psc.ts";
import { NotFound, NotPossible } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listLinkedAccounts } from "../../lib/services/lab-tests/lab-accounts.ts";
import { requireOrder } from "../../lib/services/orders/change-order.ts";
import { lookUpPscs } from "../../lib/services/places/place-lookup.ts";

export const contract = endpoint({
  operationId: "getOrderPscInfo",
  method: "GET",
  path: "/v3/order/{order_id}/psc/info",
  tag: "orders",
  summary: "List patient service centers near the patient of an order",
  description: [
    "Lists up to 30 patient service centers of the order's laboratory, nearest first.",
    "The search starts at the zip code of the patient's address, or of the shipping address without a patient.",
    "Use it instead of `GET /v3/order/psc/info` once the order exists.",
    "The team's active lab account at the laboratory limits the sites and billing types, if the team has one there.",
    "An unknown zip code returns an empty list; an order without a laboratory or an address returns `not_possible`.",
    "`distance` is text with one decimal for callers with `x-service-api-key`, and whole miles for other callers.",
  ],
  auth: "team",
  params: orderParams,
  query: z.object({
    radius: z.enum(searchRadii).default("25").describe("Miles"),
    capabilities: z.array(z.enum(capabilitySpellings)).nullish().describe("Sites must have all of these"),
  }),
  response: wirePscInfo,
  errors: [NotFound, NotPossible],
  access: [getItem(orders), getItem(users), queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, params, query, header }, deps) => {
  const { record } = await requireOrder(scope, params.order_id, deps);
  const { lab_test, patient_address, shipping_details } = record.order;
  const zip = (patient_address ?? shipping_details)?.zip;
  if (!lab_test.lab || zip === undefined) throw new NotPossible("The order has no laboratory or no address.");
  const { lab } = lab_test;
  const account = (await listLinkedAccounts(deps.labAccounts, team)).find(
    (one) => one.lab === lab.slug && one.status === "active",
  );
  return lookUpPscs(lab, { zipCode: zip.slice(0, 5), ...query, account, header });
});
