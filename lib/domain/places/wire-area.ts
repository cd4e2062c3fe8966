import * as z from "zod";
import { scheduledViaService, scheduledViaServiceField } from "../../contract/compatibility.ts";
import { openEnum } from "../../contract/open-enum.ts";
import { billingTypes } from "../lab-tests/lab-account.ts";
import type { NearSite, SearchRadius } from "./nearest-sites.ts";
import type { PhlebotomyProvider } from "./phlebotomy.ts";
import { phlebotomyTiers } from "./phlebotomy.ts";
import { siteCapabilities } from "./site.ts";
import { toWireCapabilities, wireBillTypes, wireCapabilities } from "./wire-psc.ts";

const tiers = z.array(openEnum(phlebotomyTiers));

/** Coverage of an area by the patient service centers of a laboratory. */
const wireCoverage = z
  .object({
    patient_service_centers: z.object({
      within_radius: z.int(),
      radius: z.string(),
      capabilities: wireCapabilities,
      [scheduledViaServiceField]: z.boolean(),
    }),
    supported_bill_types: wireBillTypes,
    lab_id: z.int(),
  })
  .meta({ id: "CentralLabCoverage" });

/** Area information, as returned. `service_types` repeats `tier` for clients of the other dialect. */
export const wireArea = z
  .object({
    zip_code: z.string().regex(/^\d{5}(-\d{4})?$/),
    phlebotomy: z.object({
      is_served: z.boolean(),
      providers: z.array(z.object({ name: z.string(), tier: tiers, service_types: tiers })),
    }),
    central_labs: z.record(z.string(), wireCoverage),
  })
  .meta({ id: "AreaInfo" });

/** Converts the phlebotomy coverage of an area. @param providers providers that serve the area. */
export function toWirePhlebotomy(providers: readonly PhlebotomyProvider[]): z.output<typeof wireArea>["phlebotomy"] {
  return {
    is_served: providers.length > 0,
    providers: providers.map(({ name, tier }) => ({ name, tier: [...tier], service_types: [...tier] })),
  };
}

/** Converts a laboratory's coverage of a radius. @param isOwn see {@link toWireCapabilities}. */
export function toWireCoverage(
  near: readonly NearSite[],
  { labId, radius, isOwn }: { labId: number; radius: SearchRadius; isOwn: boolean },
): z.output<typeof wireCoverage> {
  const capabilities = siteCapabilities.filter((one) => near.some(({ site }) => site.capabilities.includes(one)));
  return {
    patient_service_centers: {
      within_radius: near.length,
      radius,
      capabilities: toWireCapabilities(capabilities, isOwn),
      [scheduledViaServiceField]: capabilities.includes(scheduledViaService[0]),
    },
    supported_bill_types: billingTypes.filter((type) => near.some(({ site }) => site.bill_types.includes(type))),
    lab_id: labId,
  };
}
