import * as z from "zod";
import { scheduledViaService } from "../../contract/compatibility.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { billingTypes } from "../lab-tests/lab-account.ts";
import type { NearSite } from "./nearest-sites.ts";
import { parseOpeningHours } from "./opening-hours.ts";
import { labsWithSites, type SiteCapability, siteCapabilities } from "./site.ts";

const [ownSpelling, otherSpelling] = scheduledViaService;

/** Accepted spellings of capabilities in requests. */
export const capabilitySpellings = [...siteCapabilities, otherSpelling] as const;
export type CapabilitySpelling = (typeof capabilitySpellings)[number];

/** Converts a spelling to the service's own spelling. */
export const toCapability = (spelling: CapabilitySpelling): SiteCapability =>
  spelling === otherSpelling ? ownSpelling : spelling;

/** Converts capabilities to the caller's spelling. @param isOwn whether the caller uses the service's own dialect. */
export const toWireCapabilities = (capabilities: readonly SiteCapability[], isOwn: boolean): string[] =>
  capabilities.map((capability) => (capability === ownSpelling && !isOwn ? otherSpelling : capability));

export const wireCapabilities = z.array(openEnum(capabilitySpellings));
export const wireBillTypes = z.array(openEnum(billingTypes));

/** Patient service center, as returned. `distance` is an integer for callers of the other dialect. */
export const wireSite = z
  .object({
    metadata: z.object({
      name: z.string(),
      state: z.string(),
      city: z.string(),
      zip_code: z.string(),
      first_line: z.string(),
      second_line: z.string(),
      phone_number: z.string(),
      fax_number: z.string(),
      hours: z.record(z.string(), z.string()).nullable(),
      website: z.string().nullable(),
    }),
    distance: z.union([z.string(), z.int()]).describe("Miles"),
    site_code: z.string(),
    supported_bill_types: wireBillTypes,
    location: z.object({ lng: z.number(), lat: z.number() }),
    capabilities: wireCapabilities,
  })
  .meta({ id: "PatientServiceCenter" });

/** Patient service centers of a laboratory around a location. */
export const wirePscInfo = z
  .object({ lab_id: z.int(), slug: openEnum(labsWithSites), patient_service_centers: z.array(wireSite) })
  .meta({ id: "PscInfo" });

/** Converts a site. @param isOwn whether the caller uses the service's own dialect, where miles are a string. */
export function toWireSite({ site, miles }: NearSite, isOwn: boolean): z.output<typeof wireSite> {
  return {
    metadata: {
      name: site.name,
      state: site.state,
      city: site.city,
      zip_code: site.zip_code,
      first_line: site.first_line,
      second_line: site.second_line ?? "",
      phone_number: site.phone_number ?? "",
      fax_number: site.fax_number ?? "",
      hours: (site.hours !== null && parseOpeningHours(site.hours)) || null,
      website: site.website,
    },
    distance: isOwn ? miles.toFixed(1) : Math.round(miles),
    site_code: site.site_code,
    supported_bill_types: site.bill_types,
    location: { lng: site.lng, lat: site.lat },
    capabilities: toWireCapabilities(site.capabilities, isOwn),
  };
}
