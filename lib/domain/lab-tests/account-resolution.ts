import { type LabAccount, platformLabAccounts } from "./lab-account.ts";

/** Purpose of a resolved account. An import also accepts a pending account. */
export type LabAccountPurpose = "order" | "import";

/** Reason why no lab account can be used. */
export type LabAccountRefusal =
  /** The requested account is not available to the team. */
  | "unknown"
  /** The requested account belongs to another lab than the order's. */
  | "other_lab"
  /** The status of the requested account, or of every account of the team at the lab, does not allow the purpose. */
  | "not_active"
  /** Several accounts are usable and the request names none. */
  | "ambiguous"
  /** Neither the team nor the platform has an account at the lab. */
  | "none";

export type LabAccountResolution = { readonly account: LabAccount } | { readonly refusal: LabAccountRefusal };

/** Input of the resolution of a lab account. */
export interface LabAccountResolutionInput {
  readonly lab: string;
  readonly purpose: LabAccountPurpose;
  /** Accounts linked to the team, at any lab. */
  readonly linked: readonly LabAccount[];
  /** Id of the requested account, if any. */
  readonly requested?: string | null | undefined;
}

const usableStatuses: Readonly<Record<LabAccountPurpose, readonly string[]>> = {
  order: ["active"],
  import: ["active", "pending"],
};

/** Accounts available to a team: its own, and the platform's at labs where the team has none. */
export function availableLabAccounts(linked: readonly LabAccount[]): LabAccount[] {
  const own = new Set(linked.map(({ lab }) => lab));
  return [...linked, ...platformLabAccounts.filter(({ lab }) => !own.has(lab))];
}

/**
 * Resolves the lab account of an order. A requested account must be available to the team, belong to the lab and be
 * active (or pending, for imports). Without a request, the team's only active account at the lab is used; for an
 * import, the only pending account if none is active. The platform's account is used only if the team has no account at
 * the lab: a team with inactive accounts gets a refusal, not the platform's account.
 */
export function resolveLabAccount({
  lab,
  purpose,
  linked,
  requested,
}: LabAccountResolutionInput): LabAccountResolution {
  if (requested) return requestedAccount(lab, purpose, linked, requested);
  const own = linked.filter((account) => account.lab === lab);
  if (own.length === 0) {
    const account = platformLabAccounts.find((platform) => platform.lab === lab);
    return account ? { account } : { refusal: "none" };
  }
  for (const status of usableStatuses[purpose]) {
    const [account, ...others] = own.filter((candidate) => candidate.status === status);
    if (account) return others.length === 0 ? { account } : { refusal: "ambiguous" };
  }
  return { refusal: "not_active" };
}

function requestedAccount(
  lab: string,
  purpose: LabAccountPurpose,
  linked: readonly LabAccount[],
  requested: string,
): LabAccountResolution {
  const account = availableLabAccounts(linked).find(({ id }) => id === requested);
  if (!account) return { refusal: "unknown" };
  if (account.lab !== lab) return { refusal: "other_lab" };
  return usableStatuses[purpose].includes(account.status) ? { account } : { refusal: "not_active" };
}

/** Lab whose tests an account makes available; undefined while the account is suspended. */
export const availableLab = ({ lab, status }: LabAccount): string | undefined =>
  status === "suspended" ? undefined : lab;
