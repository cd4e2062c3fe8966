import type * as z from "zod";
import { teamKeyHeaders } from "../contract/dialect.ts";
import type { Team } from "../domain/identity.ts";
import { availableAccounts } from "../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../domain/lab-tests/lab-account.ts";
import { availableSites } from "../domain/places/lab-account-reach.ts";
import { MOST_SITES, type NearSite, type Radius, sitesAround } from "../domain/places/nearest-sites.ts";
import { providersAt } from "../domain/places/phlebotomy.ts";
import { toWireCoverage, toWirePhlebotomy, type wireArea } from "../domain/places/wire-area.ts";
import { type CapabilitySpelling, toCapability, toWireSite, type wirePscInfo } from "../domain/places/wire-psc.ts";
import type { LabAccountStore } from "../store/lab-accounts.ts";
import { NotFound } from "./errors.ts";
import { linkedAccounts } from "./lab-accounts.ts";
import { places } from "./places.ts";

/** A laboratory as answers name it. */
export interface NamedLab {
  readonly id: number;
  readonly slug: string;
}

/** What both lookups are asked: around which zip code, how far, for which lab account, and by whom. */
interface Lookup {
  readonly zipCode: string;
  readonly radius: Radius;
  /** The account that decides what is available; without one everything is. */
  readonly account?: LabAccount | undefined;
  /** The header that the caller's key came in, which tells the dialect. */
  readonly header: string;
}

const isOwn = ({ header }: Lookup) => header === teamKeyHeaders[0];

/**
 * The lab account that decides what is available, undefined where none is named.
 * @throws NotFound when it is none that the team can use.
 */
export async function accountNamed(
  accounts: LabAccountStore,
  team: Team,
  accountId: string | null | undefined,
): Promise<LabAccount | undefined> {
  if (!accountId) return undefined;
  const account = availableAccounts(await linkedAccounts(accounts, team)).find(({ id }) => id === accountId);
  if (!account) throw new NotFound("There is no lab account with this id.");
  return account;
}

/** The nearest patient service centers of a laboratory; none for a zip code that is in no known area. */
export async function lookUpPscs(
  lab: NamedLab,
  lookup: Lookup & { readonly capabilities?: readonly CapabilitySpelling[] | null | undefined },
): Promise<z.output<typeof wirePscInfo>> {
  const near = await around(lab, lookup, lookup.capabilities ?? []);
  const nearest = near.slice(0, MOST_SITES).map((site) => toWireSite(site, isOwn(lookup)));
  return { lab_id: lab.id, slug: lab.slug, patient_service_centers: nearest };
}

/** Who draws blood in an area: phlebotomists that come, and these laboratories' patient service centers. */
export async function lookUpArea(labs: readonly NamedLab[], lookup: Lookup): Promise<z.output<typeof wireArea>> {
  const { zips, phlebotomy } = await places();
  const at = zips.locate(lookup.zipCode);
  const locate = (zip: string) => zips.locate(zip);
  const coverage = labs.map(async (lab) => {
    const near = await around(lab, lookup, []);
    return [lab.slug, toWireCoverage(near, { labId: lab.id, radius: lookup.radius, isOwn: isOwn(lookup) })] as const;
  });
  return {
    zip_code: lookup.zipCode,
    phlebotomy: toWirePhlebotomy(at ? providersAt(at, phlebotomy, locate) : []),
    central_labs: Object.fromEntries(await Promise.all(coverage)),
  };
}

async function around(
  lab: NamedLab,
  { zipCode, radius, account }: Lookup,
  spellings: readonly CapabilitySpelling[],
): Promise<NearSite[]> {
  const { zips, sitesOf } = await places();
  const at = zips.locate(zipCode);
  if (at === undefined) return [];
  const available = availableSites(sitesOf(lab.slug), account);
  return sitesAround(available, { at, radiusMiles: Number(radius), capabilities: spellings.map(toCapability) });
}
