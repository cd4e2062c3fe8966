import { putItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labAccounts, labTests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { labTestDraft, toWireLabTest } from "../../lib/domain/lab-tests/lab-test.ts";
import { isProblemList, selectMarkers } from "../../lib/domain/lab-tests/select-markers.ts";
import { wireLabTest } from "../../lib/domain/lab-tests/wire-lab-test.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { resolveAccountLab } from "../../lib/services/lab-tests/lab-accounts.ts";
import { loadLabCatalogue, toValidationFailed } from "../../lib/services/lab-tests/lab-catalogue.ts";

export const contract = endpoint({
  operationId: "createLabTest",
  method: "POST",
  path: "/v3/lab_tests",
  tag: "lab-tests",
  summary: "Create a lab test",
  description: [
    "Creates a lab test of the team from markers of one lab, which you can then order under its id.",
    "Name the markers by `marker_ids`, or by `provider_ids`, the lab's own test codes, together with their lab.",
    "The lab must offer the collection method; `GET /v3/lab_tests/labs` lists what each lab offers.",
    "The new lab test is active at once. Later you can change only its name and whether it is active.",
    "Names need not be unique, so a repeated call creates a second lab test.",
    "A test for a single order needs no call: `POST /v3/order` accepts an `order_set` with add-on markers.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: labTestDraft,
  response: wireLabTest,
  errors: [NotFound],
  access: [putItem(labTests), queryItems(labAccounts)],
});

export const handler = implement(contract, async ({ scope, team, body }, { labTests, labAccounts }) => {
  const accountLab = await resolveAccountLab(labAccounts, team, body.lab_account_id);
  if (accountLab === null) throw ValidationFailed.at(["body", "lab_account_id"], "The lab account is suspended");
  const catalogue = await loadLabCatalogue();
  const selection = selectMarkers(body, catalogue, accountLab);
  if (isProblemList(selection)) throw toValidationFailed(selection);
  const { name, description, method, fasting } = body;
  const now = isoNow();
  const test = {
    ...{ name, description, method, fasting: fasting ?? false },
    lab_test_id: ports().ids.uuid(),
    team_id: scope.teamId,
    lab: selection.lab.slug,
    provider_ids: selection.markers.map(({ wire }) => wire.provider_id),
    ...{ is_active: true, auto_generated: false, created_at: now, updated_at: now },
  };
  await labTests.create(scope, test);
  return toWireLabTest(test, catalogue);
});
