import { homeOf } from "../../domain/appointments/appointment.ts";
import type { MeetingPlace } from "../../domain/appointments/appointment-record.ts";
import type { UsAddress } from "../../domain/appointments/appointment-requests.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { phlebotomyTiers, providersAt } from "../../domain/places/phlebotomy.ts";
import { NotPossible } from "../errors.ts";
import { places } from "../places.ts";
import type { MeetingKind, Served } from "./meeting-kind.ts";

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
export async function homeArea(address: Pick<UsAddress, "zip_code">): Promise<HomeArea | undefined> {
  const zip = address.zip_code.slice(0, 5);
  const { zips, phlebotomy } = await places();
  const at = zips.locate(zip);
  if (!at) return undefined;
  const coming = providersAt(at, phlebotomy, (code) => zips.locate(code));
  const withTier = (tier: string) => coming.filter((one) => one.tier.includes(tier)).map(({ name }) => name);
  const { default: zoneAt } = await import("tz-lookup");
  const location = { lng: at.lng, lat: at.lat };
  return { zip, location, zone: zoneAt(at.lat, at.lng), ready: withTier(READY), byRequest: withTier(BY_REQUEST) };
}

/** The venue of a home visit by a provider. */
export const visitOf = (area: HomeArea, address: UsAddress, provider: string): MeetingPlace => ({
  ...{ type: "phlebotomy", provider, place: area.zip, address },
  ...{ location: area.location, zone: area.zone },
});

async function servedOf(order: Order): Promise<Served> {
  const address = homeOf(order);
  const area = address && (await homeArea(address));
  if (!area || area.ready.length === 0)
    throw new NotPossible("No phlebotomist with bookable slots serves this address.");
  return {
    kind: "phlebotomy",
    zone: area.zone,
    serves: (provider, place) => place === area.zip && area.ready.includes(provider),
    meetingAt: (provider) => visitOf(area, address, provider),
  };
}

async function usualOf(order: Order): Promise<MeetingPlace | undefined> {
  const address = homeOf(order);
  const area = address && (await homeArea(address));
  const provider = area && (area.ready[0] ?? area.byRequest[0]);
  return area && provider ? visitOf(area, address, provider) : undefined;
}

/** Blood draws at the patient's home. */
export const atHome: MeetingKind = { type: "phlebotomy", servedOf, usualOf };
