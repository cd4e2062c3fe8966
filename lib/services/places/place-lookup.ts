import type * as z from "zod";
import { teamKeyHeaders } from "../../contract/compatibility.ts";
import { availableLabAccounts } from "../../domain/lab-tests/account-resolution.ts";
import type { LabAccount } from "../../domain/lab-tests/lab-account.ts";
import type { Team } from "../../domain/management/records.ts";
import { availableSites } from "../../domain/places/available-sites.ts";
import {
  findNearestSites,
  MAX_SITES_PER_ANSWER,
  type NearSite,
  type SearchRadius,
} from "../../domain/places/nearest-sites.ts";
import { phlebotomyProvidersAt } from "../../domain/places/phlebotomy.ts";
import { toWireCoverage, toWirePhlebotomy, type wireArea } from "../../domain/places/wire-area.ts";
import { type CapabilitySpelling, toCapability, toWireSite, type wirePscInfo } from "../../domain/places/wire-psc.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { LabAccountStore } from "../../store/lab-tests/lab-accounts.ts";
import { listLinkedAccounts } from "../lab-tests/lab-accounts.ts";
import { loadPlaces } from "./places.ts";

/** A laboratory as responses identify it. */
export interface LabReference {
  readonly id: number;
  readonly slug: string;
}

/** Input of both lookups. */
interface Lookup {
  readonly zipCode: string;
  readonly radius: SearchRadius;
  /** Lab account that limits the available sites; undefined for all sites. */
  readonly account?: LabAccount | undefined;
  /** Header of the caller's API key, which selects the wire dialect. */
  readonly header: string;
}

const isOwnDialect = ({ header }: Lookup) => header === teamKeyHeaders[0];

/**
 * Finds the lab account that limits the available sites; undefined without an account id.
 * @throws NotFound for an account that the team cannot use.
 */
export async function findAvailableAccount(
  accounts: LabAccountStore,
  team: Team,
  accountId: string | null | undefined,
): Promise<LabAccount | undefined> {
  if (!accountId) return undefined;
  const account = availableLabAccounts(await listLinkedAccounts(accounts, team)).find(({ id }) => id === accountId);
  if (!account) throw new NotFound("There is no lab account with this id.");
  return account;
}

/** Looks up the nearest patient service centers of a laboratory. Empty for an unknown zip code. */
export async function lookUpPscs(
  lab: LabReference,
  lookup: Lookup & { readonly capabilities?: readonly CapabilitySpelling[] | null | undefined },
): Promise<z.output<typeof wirePscInfo>> {
  const near = await findSitesAround(lab, lookup, lookup.capabilities ?? []);
  const nearest = near.slice(0, MAX_SITES_PER_ANSWER).map((site) => toWireSite(site, isOwnDialect(lookup)));
  return { lab_id: lab.id, slug: lab.slug, patient_service_centers: nearest };
}

/** Looks up who draws blood in an area: mobile phlebotomists, and patient service centers of these laboratories. */
export async function lookUpArea(labs: readonly LabReference[], lookup: Lookup): Promise<z.output<typeof wireArea>> {
  const { zips, phlebotomy } = await loadPlaces();
  const at = zips.locate(lookup.zipCode);
  const locate = (zip: string) => zips.locate(zip);
  const coverage = labs.map(async (lab) => {
    const near = await findSitesAround(lab, lookup, []);
    return [
      lab.slug,
      toWireCoverage(near, { labId: lab.id, radius: lookup.radius, isOwn: isOwnDialect(lookup) }),
    ] as const;
  });
  return {
    zip_code: lookup.zipCode,
    phlebotomy: toWirePhlebotomy(at ? phlebotomyProvidersAt(at, phlebotomy, locate) : []),
    central_labs: Object.fromEntries(await Promise.all(coverage)),
  };
}

async function findSitesAround(
  lab: LabReference,
  { zipCode, radius, account }: Lookup,
  spellings: readonly CapabilitySpelling[],
): Promise<NearSite[]> {
  const { zips, sitesOf } = await loadPlaces();
  const at = zips.locate(zipCode);
  if (at === undefined) return [];
  const available = availableSites(sitesOf(lab.slug), account);
  return findNearestSites(available, { at, radiusMiles: Number(radius), capabilities: spellings.map(toCapability) });
}
