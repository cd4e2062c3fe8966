import { type Coordinates, MILES_PER_DEGREE, milesBetween } from "./distance.ts";
import type { Site, SiteCapability } from "./site.ts";

/** Search radii, miles. */
export const searchRadii = ["10", "20", "25", "50", "100"] as const;
export type SearchRadius = (typeof searchRadii)[number];
/** Maximum number of sites in one response. */
export const MAX_SITES_PER_ANSWER = 30;

export interface SiteSearch {
  readonly at: Coordinates;
  readonly radiusMiles: number;
  /** Capabilities that a site must have, all of them. */
  readonly capabilities?: readonly SiteCapability[];
}

/** Site with its distance in miles. */
export interface NearSite {
  readonly site: Site;
  readonly miles: number;
}

/** Finds the sites within the radius, nearest first; sites at the same distance are ordered by code. */
export function findNearestSites(
  sites: readonly Site[],
  { at, radiusMiles, capabilities = [] }: SiteSearch,
): NearSite[] {
  // A latitude band excludes most sites without trigonometry; 1e-9 absorbs rounding.
  const band = radiusMiles / MILES_PER_DEGREE + 1e-9;
  const near = sites.flatMap((site): NearSite[] => {
    if (Math.abs(site.lat - at.lat) > band) return [];
    if (!capabilities.every((capability) => site.capabilities.includes(capability))) return [];
    const miles = milesBetween(at, site);
    return miles <= radiusMiles ? [{ site, miles }] : [];
  });
  return near.sort((a, b) => a.miles - b.miles || (a.site.site_code < b.site.site_code ? -1 : 1));
}
