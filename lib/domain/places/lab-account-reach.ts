import { availableLab } from "../lab-tests/account-resolution.ts";
import type { LabAccount } from "../lab-tests/lab-account.ts";
import type { Site } from "./site.ts";

/**
 * The sites that are available, with the kinds of bill that are possible there: all of them where no account is named,
 * none for an account that is suspended or of another laboratory, else those where the account may bill somebody.
 */
export function availableSites(sites: readonly Site[], account: LabAccount | undefined): readonly Site[] {
  if (account === undefined) return sites;
  return sites.flatMap((site) => {
    if (site.lab !== availableLab(account)) return [];
    const bill_types = site.bill_types.filter((type) => account.allowed_billing[type]?.includes(site.state));
    return bill_types.length === 0 ? [] : [{ ...site, bill_types }];
  });
}
