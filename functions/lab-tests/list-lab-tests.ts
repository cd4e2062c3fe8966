import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { labTestFilter, selectLabTests } from "../../lib/domain/lab-tests/lab-test-list.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { listTeamLabTests } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "listLabTests",
  method: "GET",
  path: "/v3/lab_tests",
  tag: "lab-tests",
  summary: "List all lab tests",
  description: [
    "Lists all lab tests of the team in one response, without pages and without a filter by lab account.",
    "Use `GET /v3/lab_test` instead: a team with many lab tests exceeds the size of one response.",
    "The oldest lab test comes first by default. In a sandbox, the list includes the predefined lab tests.",
  ],
  auth: "team",
  params: noFields,
  query: labTestFilter.omit({ lab_account_id: true }),
  response: z.array(wireLabTest).meta({ id: "LabTests" }),
  access: [queryItems(labTests)],
  deprecated: true,
});

export const handler = implement(contract, async ({ scope, query }, { labTests }) => {
  const catalogue = await loadLabCatalogue();
  const all = await listTeamLabTests(labTests, scope);
  const found = selectLabTests(all, { ...query, lab_account_id: null }, catalogue, undefined);
  return found.map((test) => toWireLabTest(test, catalogue));
});
