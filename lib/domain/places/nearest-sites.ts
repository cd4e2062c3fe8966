import { type Coordinates, MILES_PER_DEGREE, milesBetween } from "./distance.ts";
import type { Site, SiteCapability } from "./site.ts";

/** Around which distances are asked for, in miles. */
export const radii = ["10", "20", "25", "50", "100"] as const;
export type Radius = (typeof radii)[number];
/** The most sites that an answer has (spec, Limits). */
export const MOST_SITES = 30;

export interface SiteSearch {
  readonly at: Coordinates;
  readonly radiusMiles: number;
  /** Only sites that have all of these. */
  readonly capabilities?: readonly SiteCapability[];
}

/** A site and how far it is. */
export interface NearSite {
  readonly site: Site;
  readonly miles: number;
}

/** The sites within the radius, nearest first, equally near ones by their code. */
export function sitesAround(sites: readonly Site[], { at, radiusMiles, capabilities = [] }: SiteSearch): NearSite[] {
  // Sites that are too far north or south are most of them, and need no trigonometry; the rest is for rounding.
  const band = radiusMiles / MILES_PER_DEGREE + 1e-9;
  const near = sites.flatMap((site): NearSite[] => {
    if (Math.abs(site.lat - at.lat) > band) return [];
    if (!capabilities.every((capability) => site.capabilities.includes(capability))) return [];
    const miles = milesBetween(at, site);
    return miles <= radiusMiles ? [{ site, miles }] : [];
  });
  return near.sort((a, b) => a.miles - b.miles || (a.site.site_code < b.site.site_code ? -1 : 1));
}
