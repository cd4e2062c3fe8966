import type { Team } from "../domain/identity.ts";
import { availableAccounts, availableLab } from "../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import { NotFound } from "./errors.ts";

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
