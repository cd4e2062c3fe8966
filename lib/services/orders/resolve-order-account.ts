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

/** What decides about the lab account of an order. */
interface AccountQuery {
  readonly lab: string;
  readonly purpose: LabAccountPurpose;
  /** The account that the request names. */
  readonly requested?: string | null | undefined;
  /** The account that the order has so far. It decides among several active ones. */
  readonly previous?: string | undefined;
}

/**
 * Resolves the lab account of an order.
 * @throws NotFound for an account id that is unknown to the team; ValidationFailed for an account that cannot be used.
 */
export async function resolveOrderAccount(
  accounts: LabAccountStore,
  team: Team,
  { previous, ...order }: AccountQuery,
): Promise<LabAccount> {
  const linked = await listLinkedAccounts(accounts, team);
  const first = resolveLabAccount({ ...order, linked });
  const isAmbiguous = "refusal" in first && first.refusal === "ambiguous" && previous !== undefined;
  const resolved = isAmbiguous ? resolveLabAccount({ ...order, requested: previous, linked }) : first;
  if ("account" in resolved) return resolved.account;
  if (resolved.refusal === "unknown") throw new NotFound("There is no lab account with this id.");
  throw ValidationFailed.at(["body", "lab_account_id"], reasons[resolved.refusal]);
}
