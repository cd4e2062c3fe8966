import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { queryInteger } from "../../lib/contract/parts.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { wireMarkerWithResults } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labOfAccount } from "../../lib/runtime/lab-accounts.ts";
import { labCatalogue } from "../../lib/runtime/lab-catalogue.ts";

/** Returns the marker that a lab offers under a test code. */
export const contract = endpoint({
  operationId: "getMarkersByLabAndProviderId",
  method: "GET",
  path: "/v3/lab_tests/{lab_id}/markers/{provider_id}",
  tag: "lab-tests",
  summary: "Retrieve a marker by its lab's test code",
  auth: "team",
  params: z.object({ lab_id: queryInteger(1, 2_147_483_647), provider_id: z.string().min(1).max(40) }),
  query: z.object({ lab_account_id: z.guid().toLowerCase().nullish() }),
  response: wireMarkerWithResults,
  errors: [NotFound],
  access: [query(labAccounts)],
});

export const handler = implement(contract, async ({ team, params, query }, { labAccounts }) => {
  const accountLab = await labOfAccount(labAccounts, team, query.lab_account_id);
  const marker = (await labCatalogue()).withCode(params.lab_id, params.provider_id);
  const isAvailable = accountLab === undefined || marker?.lab.slug === accountLab;
  if (!marker || !isAvailable) throw new NotFound("The lab has no marker with this test code.");
  return marker.wire;
});
