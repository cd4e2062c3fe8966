import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing, queryZipCode } from "../../lib/contract/parts.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { knownLabId, labWithId } from "../../lib/domain/lab-tests/labs.ts";
import { radii } from "../../lib/domain/places/nearest-sites.ts";
import { capabilitySpellings, wirePscInfo } from "../../lib/domain/places/wire-psc.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { accountNamed, lookUpPscs } from "../../lib/runtime/place-lookup.ts";

/** Lists up to 30 patient service centers of a laboratory near a zip code. */
export const contract = endpoint({
  operationId: "getPscInfo",
  method: "GET",
  path: "/v3/order/psc/info",
  tag: "places",
  summary: "List patient service centers near a zip code",
  auth: "team",
  params: nothing,
  query: z.object({
    zip_code: queryZipCode,
    lab_id: knownLabId,
    radius: z.enum(radii).default("25").describe("Miles"),
    capabilities: z.array(z.enum(capabilitySpellings)).nullish(),
    lab_account_id: z.guid().toLowerCase().nullish(),
  }),
  response: wirePscInfo,
  errors: [NotFound],
  access: [query(labAccounts)],
});

export const handler = implement(contract, async ({ query, team, header }, { labAccounts }) => {
  const account = await accountNamed(labAccounts, team, query.lab_account_id);
  const { zip_code: zipCode, lab_id, radius, capabilities } = query;
  const lab = labWithId(lab_id)!;
  return lookUpPscs(lab, { zipCode, radius, capabilities, account, header });
});
