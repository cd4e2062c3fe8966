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

/** Returns a lab test of the team. With `lab_account_id`, the test must belong to the lab of that account. */
export const contract = endpoint({
  operationId: "getLabTest",
  method: "GET",
  path: "/v3/lab_tests/{lab_test_id}",
  tag: "lab-tests",
  summary: "Retrieve a lab test",
  auth: "team",
  params: labTestParams,
  query: z.object({ lab_account_id: z.guid().toLowerCase().nullish() }),
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
