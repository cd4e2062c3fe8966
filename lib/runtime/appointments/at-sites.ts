import { homeOf } from "../../domain/appointments/appointment.ts";
import type { MeetingPlace } from "../../domain/appointments/appointment-record.ts";
import { PSC_ZONE } from "../../domain/appointments/slots.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { sitesAround } from "../../domain/places/nearest-sites.ts";
import type { Site } from "../../domain/places/site.ts";
import { NotPossible } from "../errors.ts";
import { places } from "../places.ts";
import type { MeetingKind, Served } from "./meeting-kind.ts";

/** Laboratories whose patient service centers are bookable through this service. */
const LABS: readonly string[] = ["quest", "sonora_quest"];
const SCHEDULED_HERE = "appointment_scheduling_via_service";
/** Maximum distance for a simulated patient. */
const FARTHEST_MILES = 100;

/** Lists the patient service centers of a laboratory that are bookable through this service. */
export async function bookableSites(lab: string): Promise<readonly Site[]> {
  if (!LABS.includes(lab)) return [];
  return (await places()).sitesOf(lab).filter(({ capabilities }) => capabilities.includes(SCHEDULED_HERE));
}

/** The address of a site in the format of appointments. */
export const siteAddress = ({ first_line, second_line, city, state, zip_code }: Site) => ({
  ...{ first_line, second_line, city, state, zip_code },
  ...{ unit: null, access_notes: null },
});

const visitOf = (site: Site): MeetingPlace => ({
  ...{ type: "patient_service_center", provider: site.lab, place: site.site_code, address: siteAddress(site) },
  ...{ location: { lng: site.lng, lat: site.lat }, zone: PSC_ZONE },
});

async function servedOf(order: Order): Promise<Served> {
  const lab = order.lab_test.lab?.slug ?? "";
  const sites = new Map((await bookableSites(lab)).map((site) => [site.site_code, site]));
  if (sites.size === 0) throw new NotPossible("Appointments of this laboratory are not bookable through this service.");
  return {
    kind: "patient_service_center",
    zone: PSC_ZONE,
    serves: (provider, place) => provider === lab && sites.has(place),
    meetingAt: (_, place) => visitOf(sites.get(place)!),
  };
}

async function usualOf(order: Order): Promise<MeetingPlace | undefined> {
  const at = (await places()).zips.locate(homeOf(order)?.zip_code ?? "");
  const sites = await bookableSites(order.lab_test.lab?.slug ?? "");
  const [nearest] = at ? sitesAround(sites, { at, radiusMiles: FARTHEST_MILES }) : [];
  return nearest && visitOf(nearest.site);
}

/** Blood draws at patient service centers. */
export const atSites: MeetingKind = { type: "patient_service_center", servedOf, usualOf };
