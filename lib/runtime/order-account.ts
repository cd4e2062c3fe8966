import type { Team } from "../domain/identity.ts";
import { type AccountPurpose, type AccountRefusal, resolveAccount } from "../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import { NotFound, ValidationFailed } from "./errors.ts";
import { linkedAccounts } from "./lab-accounts.ts";

const reasons: Readonly<Record<Exclude<AccountRefusal, "unknown">, string>> = {
  other_lab: "The lab account is of another lab",
  not_active: "No lab account of the team at this lab is active",
  ambiguous: "The team has several active lab accounts at this lab: name one",
  none: "The team has no lab account at this lab",
};

/**
 * The lab account that an order is placed under.
 * @throws NotFound for an id that is none of the team's; ValidationFailed where the account can not be used.
 */
export async function accountForOrder(
  accounts: LabAccountStore,
  team: Team,
  order: { readonly lab: string; readonly purpose: AccountPurpose; readonly requested?: string | null | undefined },
): Promise<LabAccount> {
  const resolved = resolveAccount({ ...order, linked: await linkedAccounts(accounts, team) });
  if ("account" in resolved) return resolved.account;
  if (resolved.refusal === "unknown") throw new NotFound("There is no lab account with this id.");
  throw ValidationFailed.at(["body", "lab_account_id"], reasons[resolved.refusal]);
}
