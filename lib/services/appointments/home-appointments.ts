import { patientHomeAddress } from "../../domain/appointments/appointment.ts";
import type { BookableVenue } from "../../domain/appointments/appointment-record.ts";
import type { UsAddress } from "../../domain/appointments/appointment-requests.ts";
import { phlebotomyReasons } from "../../domain/appointments/cancellation-reasons.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { phlebotomyProvidersAt, phlebotomyTiers } from "../../domain/places/phlebotomy.ts";
import { NotPossible } from "../../runtime/errors.ts";
import { loadPlaces } from "../places/places.ts";
import type { AppointmentKind, OrderServiceArea } from "./appointment-kind.ts";

const [READY, BY_REQUEST] = phlebotomyTiers;

/** A zip code that mobile phlebotomists serve. */
export interface HomeArea {
  readonly zip: string;
  readonly location: { readonly lng: number; readonly lat: number };
  readonly zone: string;
  /** Providers with bookable slots, and providers that take appointment requests. */
  readonly ready: readonly string[];
  readonly byRequest: readonly string[];
}

/** Finds the providers that visit an address; undefined for an unknown zip code. */
export async function findHomeArea(address: Pick<UsAddress, "zip_code">): Promise<HomeArea | undefined> {
  const zip = address.zip_code.slice(0, 5);
  const { zips, phlebotomy } = await loadPlaces();
  const at = zips.locate(zip);
  if (!at) return undefined;
  const coming = phlebotomyProvidersAt(at, phlebotomy, (code) => zips.locate(code));
  const withTier = (tier: string) => coming.filter((one) => one.tier.includes(tier)).map(({ name }) => name);
  const { default: zoneAt } = await import("tz-lookup");
  const location = { lng: at.lng, lat: at.lat };
  return { zip, location, zone: zoneAt(at.lat, at.lng), ready: withTier(READY), byRequest: withTier(BY_REQUEST) };
}

/** The venue of a home visit by a provider. */
export const toHomeVisit = (area: HomeArea, address: UsAddress, provider: string): BookableVenue => ({
  ...{ type: "phlebotomy", provider, place: area.zip, address },
  ...{ location: area.location, zone: area.zone },
});

async function findHomeServiceArea(order: Order): Promise<OrderServiceArea> {
  const address = patientHomeAddress(order);
  const area = address && (await findHomeArea(address));
  if (!area || area.ready.length === 0)
    throw new NotPossible("No phlebotomist with bookable slots serves this address.");
  return {
    kind: "phlebotomy",
    zone: area.zone,
    serves: (provider, place) => place === area.zip && area.ready.includes(provider),
    venueAt: (provider) => toHomeVisit(area, address, provider),
  };
}

async function findHomeVenue(order: Order): Promise<BookableVenue | undefined> {
  const address = patientHomeAddress(order);
  const area = address && (await findHomeArea(address));
  const provider = area && (area.ready[0] ?? area.byRequest[0]);
  return area && provider ? toHomeVisit(area, address, provider) : undefined;
}

/** Blood draws at the patient's home. */
export const homeAppointments: AppointmentKind = {
  type: "phlebotomy",
  cancellation: { reasons: phlebotomyReasons, field: "cancellation_reason_id" },
  findServiceArea: findHomeServiceArea,
  findVenue: findHomeVenue,
};
