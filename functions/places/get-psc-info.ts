import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields, queryZipCode } from "../../lib/contract/shared-schemas.ts";
import { findLabById, knownLabId } from "../../lib/domain/lab-tests/labs.ts";
import { searchRadii } from "../../lib/domain/places/nearest-sites.ts";
import { capabilitySpellings, wirePscInfo } from "../../lib/domain/places/wire-psc.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { findAvailableAccount, lookUpPscs } from "../../lib/services/places/place-lookup.ts";

export const contract = endpoint({
  operationId: "getPscInfo",
  method: "GET",
  path: "/v3/order/psc/info",
  tag: "places",
  summary: "List patient service centers near a zip code",
  description: [
    "Lists up to 30 patient service centers of one laboratory near a zip code, nearest first.",
    "Distances count in miles from the middle of the zip code's area.",
    "An unknown zip code, or no site within the `radius`, is an empty list.",
    "`distance` is text with one decimal for callers with `x-service-api-key`, and whole miles for other callers.",
    "A `lab_account_id` leaves out sites and billing types that the account does not allow.",
    "A `lab_account_id` that the team cannot use returns `not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    zip_code: queryZipCode,
    lab_id: knownLabId,
    radius: z.enum(searchRadii).default("25").describe("Miles"),
    capabilities: z.array(z.enum(capabilitySpellings)).nullish().describe("Sites must have all of these"),
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account that limits sites and billing types"),
  }),
  response: wirePscInfo,
  errors: [NotFound],
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ query, team, header }, { labAccounts }) => {
  const account = await findAvailableAccount(labAccounts, team, query.lab_account_id);
  const { zip_code: zipCode, lab_id, radius, capabilities } = query;
  const lab = findLabById(lab_id)!;
  return lookUpPscs(lab, { zipCode, radius, capabilities, account, header });
});
