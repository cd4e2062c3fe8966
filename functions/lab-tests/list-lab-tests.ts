import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { labTestFilter, selectLabTests } from "../../lib/domain/lab-tests/lab-test-list.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labCatalogue } from "../../lib/runtime/lab-catalogue.ts";
import { teamLabTests } from "../../lib/runtime/lab-tests.ts";

/** Lists all lab tests of the team in one response. */
export const contract = endpoint({
  operationId: "listLabTests",
  method: "GET",
  path: "/v3/lab_tests",
  tag: "lab-tests",
  summary: "List all lab tests",
  auth: "team",
  params: nothing,
  query: labTestFilter.omit({ lab_account_id: true }),
  response: z.array(wireLabTest).meta({ id: "LabTests" }),
  access: [query(labTests)],
  deprecated: true,
});

export const handler = implement(contract, async ({ scope, query }, { labTests }) => {
  const catalogue = await labCatalogue();
  const all = await teamLabTests(labTests, scope);
  const found = selectLabTests(all, { ...query, lab_account_id: null }, catalogue, undefined);
  return found.map((test) => toWireLabTest(test, catalogue));
});
