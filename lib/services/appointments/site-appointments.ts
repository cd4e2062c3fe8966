import { patientHomeAddress } from "../../domain/appointments/appointment.ts";
import type { BookableVenue } from "../../domain/appointments/appointment-record.ts";
import { pscReasons } from "../../domain/appointments/cancellation-reasons.ts";
import { PSC_TIME_ZONE } from "../../domain/appointments/slots.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { findNearestSites } from "../../domain/places/nearest-sites.ts";
import type { Site } from "../../domain/places/site.ts";
import { NotPossible } from "../../runtime/errors.ts";
import { loadPlaces } from "../places/places.ts";
import type { AppointmentKind, OrderServiceArea } from "./appointment-kind.ts";

/** Laboratories whose patient service centers are bookable through this service. */
const BOOKABLE_LABS: readonly string[] = ["quest", "sonora_quest"];
const SCHEDULED_HERE = "appointment_scheduling_via_service";
/** Maximum distance for a simulated patient. */
const MAX_MILES = 100;

/** Lists the patient service centers of a laboratory that are bookable through this service. */
export async function listBookableSites(lab: string): Promise<readonly Site[]> {
  if (!BOOKABLE_LABS.includes(lab)) return [];
  return (await loadPlaces()).sitesOf(lab).filter(({ capabilities }) => capabilities.includes(SCHEDULED_HERE));
}

/** The address of a site in the format of appointments. */
export const siteAddress = ({ first_line, second_line, city, state, zip_code }: Site) => ({
  ...{ first_line, second_line, city, state, zip_code },
  ...{ unit: null, access_notes: null },
});

const toSiteVisit = (site: Site): BookableVenue => ({
  ...{ type: "patient_service_center", provider: site.lab, place: site.site_code, address: siteAddress(site) },
  ...{ location: { lng: site.lng, lat: site.lat }, zone: PSC_TIME_ZONE },
});

async function findSiteServiceArea(order: Order): Promise<OrderServiceArea> {
  const lab = order.lab_test.lab?.slug ?? "";
  const sites = new Map((await listBookableSites(lab)).map((site) => [site.site_code, site]));
  if (sites.size === 0) throw new NotPossible("Appointments of this laboratory are not bookable through this service.");
  return {
    kind: "patient_service_center",
    zone: PSC_TIME_ZONE,
    serves: (provider, place) => provider === lab && sites.has(place),
    venueAt: (_, place) => toSiteVisit(sites.get(place)!),
  };
}

async function findSiteVenue(order: Order): Promise<BookableVenue | undefined> {
  const at = (await loadPlaces()).zips.locate(patientHomeAddress(order)?.zip_code ?? "");
  const sites = await listBookableSites(order.lab_test.lab?.slug ?? "");
  const [nearest] = at ? findNearestSites(sites, { at, radiusMiles: MAX_MILES }) : [];
  return nearest && toSiteVisit(nearest.site);
}

/** Blood draws at patient service centers. */
export const siteAppointments: AppointmentKind = {
  type: "patient_service_center",
  cancellation: { reasons: pscReasons, field: "cancellationReasonId" },
  findServiceArea: findSiteServiceArea,
  findVenue: findSiteVenue,
};
