import {
  type LabAccountPurpose,
  type LabAccountRefusal,
  resolveLabAccount,
} from "../../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../../domain/lab-tests/lab-account.ts";
import type { Team } from "../../domain/management/records.ts";
import { NotFound, ValidationFailed } from "../../runtime/errors.ts";
import type { LabAccountStore } from "../../store/lab-tests/lab-accounts.ts";
import { listLinkedAccounts } from "../lab-tests/lab-accounts.ts";

const reasons: Readonly<Record<Exclude<LabAccountRefusal, "unknown">, string>> = {
  other_lab: "The lab account belongs to another lab",
  not_active: "The team has no active lab account at this lab",
  ambiguous: "The team has several active lab accounts at this lab: specify one",
  none: "The team has no lab account at this lab",
};

/**
 * Resolves the lab account of an order.
 * @throws NotFound for an account id that is unknown to the team; ValidationFailed for an account that cannot be used.
 */
export async function resolveOrderAccount(
  accounts: LabAccountStore,
  team: Team,
  order: { readonly lab: string; readonly purpose: LabAccountPurpose; readonly requested?: string | null | undefined },
): Promise<LabAccount> {
  const resolved = resolveLabAccount({ ...order, linked: await listLinkedAccounts(accounts, team) });
  if ("account" in resolved) return resolved.account;
  if (resolved.refusal === "unknown") throw new NotFound("There is no lab account with this id.");
  throw ValidationFailed.at(["body", "lab_account_id"], reasons[resolved.refusal]);
}
