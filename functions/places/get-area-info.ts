import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { noFields, queryZipCode } from "../../lib/contract/shared-schemas.ts";
import { labs } from "../../lib/domain/lab-tests/labs.ts";
import { searchRadii } from "../../lib/domain/places/nearest-sites.ts";
import { labsWithSites } from "../../lib/domain/places/site.ts";
import { wireArea } from "../../lib/domain/places/wire-area.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { findAvailableAccount, lookUpArea } from "../../lib/services/places/place-lookup.ts";

const lab = z.enum(labsWithSites);

export const contract = endpoint({
  operationId: "getAreaInfo",
  method: "GET",
  path: "/v3/order/area/info",
  tag: "places",
  summary: "Retrieve phlebotomy and lab coverage of a zip code",
  description: [
    "Returns who can draw blood near a zip code: at-home phlebotomists, and patient service centers by laboratory.",
    "Call it before an order, to decide between collection methods; `GET /v3/order/psc/info` lists the single sites.",
    "Without `labs`, it covers all laboratories with sites: `quest`, `labcorp`, `bioreference` and `sonora_quest`.",
    "An unknown zip code is no error: it has no sites and is not served.",
    "A `lab_account_id` leaves out sites and billing types that the account does not allow.",
    "A `lab_account_id` that the team cannot use returns `not_found`.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({
    zip_code: queryZipCode,
    radius: z.enum(searchRadii).default("25").describe("Miles"),
    labs: z.array(lab).nullish().describe("Default: all laboratories with sites"),
    lab: lab.nullish().meta({ deprecated: true, description: "Use labs" }),
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account that limits sites and billing types"),
  }),
  response: wireArea,
  errors: [NotFound],
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ query, team, header }, { labAccounts }) => {
  const account = await findAvailableAccount(labAccounts, team, query.lab_account_id);
  const { zip_code: zipCode, radius } = query;
  const selectedLabs: readonly string[] = query.labs ?? (query.lab ? [query.lab] : labsWithSites);
  return lookUpArea(
    labs.filter(({ slug }) => selectedLabs.includes(slug)),
    { zipCode, radius, account, header },
  );
});
