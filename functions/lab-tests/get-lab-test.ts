import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { labTestParams } from "../../lib/contract/shared-schemas.ts";
import { toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { requireLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "getLabTest",
  method: "GET",
  path: "/v3/lab_tests/{lab_test_id}",
  tag: "lab-tests",
  summary: "Retrieve a lab test",
  description: [
    "Returns a lab test of the team, also an inactive one, with its markers and the reflex markers that may follow.",
    "`price` is in US dollars, and the turnaround times are those of its slowest marker.",
    "In a sandbox, every team has the predefined lab tests besides its own.",
    "A `lab_account_id` at another lab, or of a suspended account, returns `not_found`.",
  ],
  auth: "team",
  params: labTestParams,
  query: z.object({
    lab_account_id: z.guid().toLowerCase().nullish().describe("Lab account to whose lab the response is limited"),
  }),
  response: wireLabTest,
  errors: [NotFound],
  access: [getItem(labTests), queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, params, query }, { labTests, labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, query.lab_account_id);
  const test = await requireLabTest(labTests, scope, params.lab_test_id);
  const isAvailable = accountLab === undefined || accountLab === test.lab;
  if (!isAvailable) throw new NotFound("The lab test is not available to this lab account.");
  return toWireLabTest(test, await loadLabCatalogue());
});
