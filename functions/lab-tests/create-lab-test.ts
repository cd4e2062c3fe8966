import { put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { chooseMarkers, isProblems } from "../../lib/domain/lab-tests/chosen-markers.ts";
import { labTestDraft, toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { labOfAccount } from "../../lib/runtime/lab-accounts.ts";
import { labCatalogue, refuse } from "../../lib/runtime/lab-catalogue.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

/** Creates a lab test from markers of one lab. */
export const contract = endpoint({
  operationId: "createLabTest",
  method: "POST",
  path: "/v3/lab_tests",
  tag: "lab-tests",
  summary: "Create a lab test",
  auth: "team",
  params: nothing,
  query: nothing,
  body: labTestDraft,
  response: wireLabTest,
  errors: [NotFound],
  access: [put(labTests), query(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, body }, { labTests, labAccounts }) => {
  const accountLab = await labOfAccount(labAccounts, team, body.lab_account_id);
  if (accountLab === null) throw ValidationFailed.at(["body", "lab_account_id"], "The lab account is suspended");
  const catalogue = await labCatalogue();
  const chosen = chooseMarkers(body, catalogue, accountLab);
  if (isProblems(chosen)) throw refuse(chosen);
  const { name, description, method, fasting } = body;
  const now = isoNow();
  const test = {
    ...{ name, description, method, fasting: fasting ?? false },
    lab_test_id: ports().ids.uuid(),
    team_id: scope.teamId,
    lab: chosen.lab.slug,
    provider_ids: chosen.markers.map(({ wire }) => wire.provider_id),
    ...{ is_active: true, auto_generated: false, created_at: now, updated_at: now },
  };
  await labTests.create(scope, test);
  return toWireLabTest(test, catalogue);
});
