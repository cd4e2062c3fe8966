import { defaultLabTests } from "../domain/lab-tests/default-lab-tests.ts";
import type { LabTest } from "../domain/lab-tests/lab-test.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { LabTestStore } from "../store/lab-tests.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { deployment } from "./deployment.ts";
import { NotFound } from "./errors.ts";

/** Lab tests that every team of a sandbox starts with. */
const given = (): readonly LabTest[] => (deployment().environment === "sandbox" ? defaultLabTests : []);

/** Finds a predefined lab test, unchanged. */
const givenLabTest = (labTestId: string): LabTest | undefined =>
  given().find(({ lab_test_id }) => lab_test_id === labTestId);

/** Lists the lab tests of a team: predefined ones, with changes of the team, and its own. */
export async function teamLabTests(labTests: LabTestStore, scope: TeamScope): Promise<LabTest[]> {
  const own = await labTests.list(scope);
  const changed = new Set(own.map(({ lab_test_id }) => lab_test_id));
  return [...given().filter(({ lab_test_id }) => !changed.has(lab_test_id)), ...own];
}

/** Reads a lab test of a team. @throws NotFound. */
export async function requireLabTest(labTests: LabTestStore, scope: TeamScope, labTestId: string): Promise<LabTest> {
  const test = (await labTests.get(scope, labTestId)) ?? givenLabTest(labTestId);
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
  const first = givenLabTest(labTestId);
  try {
    if (first) await labTests.create(scope, { ...first, team_id: scope.teamId });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  try {
    return await labTests.change(scope, labTestId, changes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFound("There is no lab test with this id.", { cause: error });
  }
}
