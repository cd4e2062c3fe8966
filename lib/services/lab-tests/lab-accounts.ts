import { availableLab, availableLabAccounts } from "../../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../../domain/lab-tests/lab-account.ts";
import type { Team } from "../../domain/management/records.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { LabAccountStore } from "../../store/lab-tests/lab-accounts.ts";

/** Lists the lab accounts of the organisation that allow the team. */
export async function listLinkedAccounts(accounts: LabAccountStore, { org_id, team_id }: Team): Promise<LabAccount[]> {
  const all = await accounts.list(org_id);
  return all.filter(({ team_id_allowlist }) => team_id_allowlist.includes(team_id));
}

/**
 * Resolves the lab whose tests an account makes available: undefined without an account, null for a suspended account.
 * @throws NotFound for an account that the team cannot use. An account of another team looks like an unknown one.
 */
export async function resolveAccountLab(
  accounts: LabAccountStore,
  team: Team,
  accountId: string | null | undefined,
): Promise<string | null | undefined> {
  if (!accountId) return undefined;
  const account = availableLabAccounts(await listLinkedAccounts(accounts, team)).find(({ id }) => id === accountId);
  if (!account) throw new NotFound("There is no lab account with this id.");
  return availableLab(account) ?? null;
}
