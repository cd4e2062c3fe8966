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

/** A laboratory as responses identify it. */
export interface NamedLab {
  readonly id: number;
  readonly slug: string;
}

/** Input of both lookups. */
interface Lookup {
  readonly zipCode: string;
  readonly radius: Radius;
  /** Lab account that limits the available sites; undefined for all sites. */
  readonly account?: LabAccount | undefined;
  /** Header of the caller's API key, which selects the wire dialect. */
  readonly header: string;
}

const isOwn = ({ header }: Lookup) => header === teamKeyHeaders[0];

/**
 * Finds the lab account that limits the available sites; undefined without an account id.
 * @throws NotFound for an account that the team cannot use.
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

/** Looks up the nearest patient service centers of a laboratory. Empty for an unknown zip code. */
export async function lookUpPscs(
  lab: NamedLab,
  lookup: Lookup & { readonly capabilities?: readonly CapabilitySpelling[] | null | undefined },
): Promise<z.output<typeof wirePscInfo>> {
  const near = await around(lab, lookup, lookup.capabilities ?? []);
  const nearest = near.slice(0, MOST_SITES).map((site) => toWireSite(site, isOwn(lookup)));
  return { lab_id: lab.id, slug: lab.slug, patient_service_centers: nearest };
}

/** Looks up who draws blood in an area: mobile phlebotomists, and patient service centers of these laboratories. */
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
