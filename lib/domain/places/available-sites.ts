import { availableLab } from "../lab-tests/account-resolution.ts";
import type { LabAccount } from "../lab-tests/lab-account.ts";
import type { Site } from "./site.ts";

/**
 * Filters sites by a lab account and limits their billing types to those that the account allows in the site's state.
 * Without an account, all sites are available. A suspended account, or one of another laboratory, makes none available.
 */
export function availableSites(sites: readonly Site[], account: LabAccount | undefined): readonly Site[] {
  if (account === undefined) return sites;
  return sites.flatMap((site) => {
    if (site.lab !== availableLab(account)) return [];
    const bill_types = site.bill_types.filter((type) => account.allowed_billing[type]?.includes(site.state));
    return bill_types.length === 0 ? [] : [{ ...site, bill_types }];
  });
}
