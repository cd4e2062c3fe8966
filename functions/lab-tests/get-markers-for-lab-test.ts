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

/** Lists the markers of a lab test and their reflex markers. */
export const contract = endpoint({
  operationId: "getMarkersForLabTest",
  method: "GET",
  path: "/v3/lab_tests/{lab_test_id}/markers",
  tag: "lab-tests",
  summary: "List the markers of a lab test",
  auth: "team",
  params: labTestParams,
  query: z.object({ lab_account_id: z.guid().toLowerCase().nullish(), ...pageQuery }),
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
