import * as z from "zod";
import { putItem, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { labTestParams, noFields } from "../../lib/contract/shared-schemas.ts";
import { toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { changeLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "updateLabTest",
  method: "PATCH",
  path: "/v3/lab_tests/{lab_test_id}",
  tag: "lab-tests",
  summary: "Update a lab test",
  description: [
    "Changes the name of a lab test, or activates or deactivates it; absent and null fields stay as they are.",
    "Orders reject an inactive lab test. Placed orders keep the lab test as it was when they were placed.",
    "Markers and collection method cannot change: create another lab test instead.",
    "A predefined lab test of a sandbox becomes the team's own at its first change.",
  ],
  auth: "team",
  params: labTestParams,
  query: noFields,
  body: z.object({ name: z.string().trim().min(1).max(200).nullish(), active: z.boolean().nullish() }),
  response: wireLabTest,
  errors: [NotFound],
  access: [putItem(labTests), updateItem(labTests)],
});

export const handler = implement(contract, async ({ scope, params, body }, { labTests }) => {
  const test = await changeLabTest(labTests, scope, params.lab_test_id, {
    ...(body.name == null ? {} : { name: body.name }),
    ...(body.active == null ? {} : { is_active: body.active }),
    updated_at: isoNow(),
  });
  return toWireLabTest(test, await loadLabCatalogue());
});
