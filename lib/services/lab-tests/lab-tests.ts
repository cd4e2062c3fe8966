import { defaultLabTests } from "../../domain/lab-tests/default-lab-tests.ts";
import type { LabTest } from "../../domain/lab-tests/lab-test.ts";
import { deployment } from "../../runtime/deployment.ts";
import { NotFound } from "../../runtime/errors.ts";
import { explainConditionFailed, unlessConditionFailed } from "../../store/condition-failed.ts";
import type { LabTestStore } from "../../store/lab-tests/lab-tests.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Lab tests that every team of a sandbox starts with. */
const sandboxLabTests = (): readonly LabTest[] => (deployment().environment === "sandbox" ? defaultLabTests : []);

/** Finds a predefined lab test, unchanged. */
const findSandboxLabTest = (labTestId: string): LabTest | undefined =>
  sandboxLabTests().find(({ lab_test_id }) => lab_test_id === labTestId);

/** Lists the lab tests of a team: predefined ones, with changes of the team, and its own. */
export async function listTeamLabTests(labTests: LabTestStore, scope: TeamScope): Promise<LabTest[]> {
  const own = await labTests.list(scope);
  const changed = new Set(own.map(({ lab_test_id }) => lab_test_id));
  return [...sandboxLabTests().filter(({ lab_test_id }) => !changed.has(lab_test_id)), ...own];
}

/** Reads a lab test of a team. @throws NotFound. */
export async function requireLabTest(labTests: LabTestStore, scope: TeamScope, labTestId: string): Promise<LabTest> {
  const test = (await labTests.get(scope, labTestId)) ?? findSandboxLabTest(labTestId);
  if (!test) throw new NotFound("There is no lab test with this id.");
  return test;
}

/**
 * Changes a lab test. A predefined lab test becomes the team's own at its first change.
 * @throws NotFound if the team has no lab test with this id.
 */
export async function changeLabTest(
  labTests: LabTestStore,
  scope: TeamScope,
  labTestId: string,
  changes: Partial<LabTest>,
): Promise<LabTest> {
  const first = findSandboxLabTest(labTestId);
  if (first) await unlessConditionFailed(labTests.create(scope, { ...first, team_id: scope.teamId }));
  const update = labTests.update(scope, labTestId, changes);
  return explainConditionFailed(update, (cause) => new NotFound("There is no lab test with this id.", { cause }));
}
