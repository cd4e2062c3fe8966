import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { labTestParams, pageQuery } from "../../lib/contract/shared-schemas.ts";
import { markersOf } from "../../lib/domain/lab-tests/lab-test.ts";
import { toMarkerPage } from "../../lib/domain/lab-tests/marker-page.ts";
import { markerPage } from "../../lib/domain/lab-tests/wire-markers.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { requireLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "getMarkersForLabTest",
  method: "GET",
  path: "/v3/lab_tests/{lab_test_id}/markers",
  tag: "lab-tests",
  summary: "List the markers of a lab test",
  description: [
    "Lists the markers of a lab test in its order, followed by the reflex markers that their results may trigger.",
    "Each marker has the results to expect, with their LOINC codes, and the questions to answer with an order.",
    "Pages are numbered, with 50 markers by default and at most 100; a page after the last one is empty.",
    "With a `lab_account_id` at another lab the list is empty, while an unknown account returns `not_found`.",
    "`pricing` is always null here: see `GET /v3/lab_tests/markers`.",
  ],
  auth: "team",
  params: labTestParams,
  query: z.object({
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account to whose lab the response is limited"),
    ...pageQuery,
  }),
  response: markerPage,
  errors: [NotFound],
  access: [getItem(labTests), queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, params, query }, { labTests, labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, query.lab_account_id);
  const test = await requireLabTest(labTests, scope, params.lab_test_id);
  const catalogue = await loadLabCatalogue();
  const own = accountLab === undefined || accountLab === test.lab ? markersOf(test, catalogue) : [];
  return toMarkerPage([...own, ...catalogue.reflexMarkersOf(own)], query);
});
