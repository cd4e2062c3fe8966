import { type LabAccount, platformAccounts } from "./lab-account.ts";

/** What an account is resolved for: an import also takes one that is still pending (spec, Endpoints known only by name). */
export type AccountPurpose = "order" | "import";

/** Why no account can be used. */
export type AccountRefusal =
  /** The account that was asked for is none of the team's. */
  | "unknown"
  /** It is an account at another lab than the one of the order. */
  | "other_lab"
  /** Its status, or that of every account of the team at the lab, does not allow what is asked. */
  | "not_active"
  /** Several accounts would do, and none was asked for. */
  | "ambiguous"
  /** The team has no account at the lab, and the platform has none either. */
  | "none";

export type AccountResolution = { readonly account: LabAccount } | { readonly refusal: AccountRefusal };

/** What is known when an account is resolved. */
export interface AccountQuestion {
  readonly lab: string;
  readonly purpose: AccountPurpose;
  /** The team's own accounts, at any lab. */
  readonly linked: readonly LabAccount[];
  /** The id that was asked for, if any. */
  readonly requested?: string | null | undefined;
}

const usable: Readonly<Record<AccountPurpose, readonly string[]>> = {
  order: ["active"],
  import: ["active", "pending"],
};

/** Accounts that a team can order under: its own, and the platform's at labs where it has none. */
export function availableAccounts(linked: readonly LabAccount[]): LabAccount[] {
  const own = new Set(linked.map(({ lab }) => lab));
  return [...linked, ...platformAccounts.filter(({ lab }) => !own.has(lab))];
}

/**
 * The account that an order at a lab is placed under. One that is asked for must be the team's, of that lab and active (or
 * pending, for imports). Else: no account of its own at the lab, the platform's; one active, that one; several, none; own
 * accounts of which none is active, none: there is no falling back then. An import without an active one takes a pending one.
 */
export function resolveAccount({ lab, purpose, linked, requested }: AccountQuestion): AccountResolution {
  if (requested) return requestedAccount(lab, purpose, linked, requested);
  const own = linked.filter((account) => account.lab === lab);
  if (own.length === 0) {
    const account = platformAccounts.find((platform) => platform.lab === lab);
    return account ? { account } : { refusal: "none" };
  }
  for (const status of usable[purpose]) {
    const [account, ...others] = own.filter((candidate) => candidate.status === status);
    if (account) return others.length === 0 ? { account } : { refusal: "ambiguous" };
  }
  return { refusal: "not_active" };
}

function requestedAccount(
  lab: string,
  purpose: AccountPurpose,
  linked: readonly LabAccount[],
  requested: string,
): AccountResolution {
  const account = availableAccounts(linked).find(({ id }) => id === requested);
  if (!account) return { refusal: "unknown" };
  if (account.lab !== lab) return { refusal: "other_lab" };
  return usable[purpose].includes(account.status) ? { account } : { refusal: "not_active" };
}

/** The lab whose tests an account makes available; undefined while it is suspended. */
export const availableLab = ({ lab, status }: LabAccount): string | undefined =>
  status === "suspended" ? undefined : lab;
