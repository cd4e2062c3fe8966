import type { Team } from "../domain/identity.ts";
import { availableAccounts, availableLab } from "../domain/lab-tests/account-resolution.ts";
import { Catalogue } from "../domain/lab-tests/catalogue.ts";
import type { Problem } from "../domain/lab-tests/chosen-markers.ts";
import { defaultLabTests } from "../domain/lab-tests/default-lab-tests.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import type { LabTest } from "../domain/lab-tests/lab-test.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import type { LabTestStore } from "../store/lab-tests.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { deployment } from "./deployment.ts";
import { NotFound, ValidationFailed } from "./errors.ts";

let loaded: Promise<Catalogue> | undefined;

/** The catalogue that this build carries, loaded and unfolded by the first call that needs it. */
export function labCatalogue(): Promise<Catalogue> {
  loaded ??= import("../../data/lab-catalogue/catalogue.json", { with: { type: "json" } }).then(
    ({ default: packed }) => new Catalogue(packed),
  );
  return loaded;
}

/** Accounts of the team's organisation that the team may order under. */
export async function linkedAccounts(accounts: LabAccountStore, { org_id, team_id }: Team): Promise<LabAccount[]> {
  const all = await accounts.list(org_id);
  return all.filter(({ team_id_allowlist }) => team_id_allowlist.includes(team_id));
}

/**
 * The lab whose tests an account makes available: undefined without an account, null for one that is suspended.
 * @throws NotFound when the account is none that the team can use; another team's looks like an unknown one.
 */
export async function labOfAccount(
  accounts: LabAccountStore,
  team: Team,
  accountId: string | null | undefined,
): Promise<string | null | undefined> {
  if (!accountId) return undefined;
  const account = availableAccounts(await linkedAccounts(accounts, team)).find(({ id }) => id === accountId);
  if (!account) throw new NotFound("There is no lab account with this id.");
  return availableLab(account) ?? null;
}

/** The lab tests that every team of this deployment has from the beginning. */
const given = (): readonly LabTest[] => (deployment().environment === "sandbox" ? defaultLabTests : []);

/** All lab tests of a team: those that it began with, as it has changed them, and its own. */
export async function teamLabTests(labTests: LabTestStore, scope: TeamScope): Promise<LabTest[]> {
  const own = await labTests.list(scope);
  const changed = new Set(own.map(({ lab_test_id }) => lab_test_id));
  return [...given().filter(({ lab_test_id }) => !changed.has(lab_test_id)), ...own];
}

/** @throws NotFound when the team has no lab test with this id. */
export async function requireLabTest(labTests: LabTestStore, scope: TeamScope, labTestId: string): Promise<LabTest> {
  const test = (await labTests.get(scope, labTestId)) ?? givenLabTest(labTestId);
  if (!test) throw new NotFound("There is no lab test with this id.");
  return test;
}

/**
 * Changes a lab test. One that teams begin with becomes the team's own at its first change.
 * @throws NotFound when the team has no lab test with this id.
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

/** The refusal of a request for what can not be had. */
export const refuse = (problems: readonly Problem[]): ValidationFailed =>
  new ValidationFailed(problems.map(({ loc, msg }) => ({ loc, msg, type: "value_error" })));

/** A lab test that teams begin with, as it is before a team changes it. */
export const givenLabTest = (labTestId: string): LabTest | undefined =>
  given().find(({ lab_test_id }) => lab_test_id === labTestId);
