import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts } from "../../lib/contract/resources.ts";
import { queryInteger } from "../../lib/contract/shared-schemas.ts";
import { wireMarkerWithResults } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";

export const contract = endpoint({
  operationId: "getMarkersByLabAndProviderId",
  method: "GET",
  path: "/v3/lab_tests/{lab_id}/markers/{provider_id}",
  tag: "lab-tests",
  summary: "Retrieve a marker by its lab's test code",
  description: [
    "Returns the marker that a lab offers under its own test code, with the results to expect.",
    "Use it to turn the test code of a laboratory into a `marker_id`.",
    "Codes match exactly, in case too; an unknown lab or code returns `not_found`.",
    "A `lab_account_id` at another lab, or of a suspended account, returns `not_found` as well.",
  ],
  auth: "team",
  params: z.object({
    lab_id: queryInteger(1, 2_147_483_647),
    provider_id: z.string().min(1).max(40).describe("The lab's own test code"),
  }),
  query: z.object({
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account to whose lab the response is limited"),
  }),
  response: wireMarkerWithResults,
  errors: [NotFound],
  access: [queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ team, params, query }, { labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, query.lab_account_id);
  const marker = (await loadLabCatalogue()).findByCode(params.lab_id, params.provider_id);
  const isAvailable = accountLab === undefined || marker?.lab.slug === accountLab;
  if (!marker || !isAvailable) throw new NotFound("The lab has no marker with this test code.");
  return marker.wire;
});
