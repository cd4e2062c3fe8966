import type * as z from "zod";
import type { PscAvailabilityQuery, UsAddress } from "../../domain/appointments/appointment-requests.ts";
import { pscSearchRefusal } from "../../domain/appointments/appointment-requests.ts";
import {
  type DailySlots,
  firstAvailableDate,
  listAvailability,
  PSC_TIME_ZONE,
  type SlotKind,
} from "../../domain/appointments/slots.ts";
import { clockAt } from "../../domain/appointments/wall-clock.ts";
import {
  type AvailabilityContext,
  toWireAvailabilityDays,
  type WireAvailabilityDay,
  type wireAvailability,
} from "../../domain/appointments/wire-availability.ts";
import { milesBetween } from "../../domain/places/distance.ts";
import { findNearestSites } from "../../domain/places/nearest-sites.ts";
import type { Site } from "../../domain/places/site.ts";
import { NotPossible } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { SlotStore } from "../../store/appointments/slots.ts";
import { loadPlaces } from "../places/places.ts";
import { findHomeArea } from "./home-appointments.ts";
import { listBookableSites, siteAddress } from "./site-appointments.ts";

type Availability = z.output<typeof wireAvailability>;

/** Reads the booked slots of a place between two instants (epoch ms). */
export type ReadHeldTimes = SlotStore["listReservedTimes"];

/** Maximum number of sites in one search around a zip code, nearest first. */
const MAX_SITES = 10;

/** Searches the free slots of phlebotomists who visit an address. @throws NotPossible for a past start date. */
export async function searchHomeAvailability(
  teamId: string,
  { address, startDate }: { readonly address: UsAddress; readonly startDate: string | undefined },
  heldTimes: ReadHeldTimes,
): Promise<Availability> {
  const area = await findHomeArea(address);
  if (!area) return { slots: [], timezone: null };
  const nowMs = ports().clock.now();
  const days = listTimes("phlebotomy", area.zone, startDate, nowMs);
  const offered = area.ready.map((provider) =>
    readFreeDays(days, { teamId, kind: "phlebotomy", provider, place: area.zip, location: null }, nowMs, heldTimes),
  );
  return { slots: (await Promise.all(offered)).flat(), timezone: area.zone };
}

/** Searches the free slots of patient service centers. @throws NotPossible for an invalid search. */
export async function searchSiteAvailability(
  teamId: string,
  query: PscAvailabilityQuery,
  heldTimes: ReadHeldTimes,
): Promise<Availability> {
  const refused = pscSearchRefusal(query);
  if (refused !== undefined) throw new NotPossible(refused);
  const nowMs = ports().clock.now();
  const days = listTimes("patient_service_center", PSC_TIME_ZONE, query.start_date, nowMs);
  const offered = (await resolveSites(query)).map(({ site, miles }) => {
    const location = toOfferingLocation(site, miles);
    const kind = "patient_service_center";
    return readFreeDays(days, { teamId, kind, provider: site.lab, place: site.site_code, location }, nowMs, heldTimes);
  });
  return { slots: (await Promise.all(offered)).flat(), timezone: PSC_TIME_ZONE };
}

/** Lists times from a start date, by default the first day that has any. @throws NotPossible for a past day. */
function listTimes(kind: SlotKind, zone: string, startDate: string | undefined, nowMs: number): DailySlots[] {
  if (startDate !== undefined && startDate < clockAt(zone, nowMs).date)
    throw new NotPossible("start_date is in the past.");
  return listAvailability(kind, zone, startDate ?? firstAvailableDate(kind, zone, nowMs), nowMs);
}

async function readFreeDays(
  days: readonly DailySlots[],
  offering: AvailabilityContext,
  nowMs: number,
  heldTimes: ReadHeldTimes,
): Promise<WireAvailabilityDay[]> {
  const times = days.flatMap(({ slots }) => slots);
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return [];
  const held = await heldTimes(offering, first.startMs, last.startMs);
  return toWireAvailabilityDays(days, offering, (startMs) => held.has(startMs), nowMs);
}

/** Resolves the requested sites, or those near the zip code. @throws NotPossible for a site that is not bookable. */
async function resolveSites({ lab, site_codes = [], zip_code, radius }: PscAvailabilityQuery) {
  const sites = await listBookableSites(lab);
  const at = zip_code === undefined ? undefined : (await loadPlaces()).zips.locate(zip_code);
  if (site_codes.length === 0) {
    return at ? findNearestSites(sites, { at, radiusMiles: Number(radius) }).slice(0, MAX_SITES) : [];
  }
  return [...new Set(site_codes)].map((code) => {
    const site = sites.find(({ site_code }) => site_code === code);
    if (!site) throw new NotPossible("A site code does not belong to a bookable site.");
    return { site, miles: at ? milesBetween(at, site) : null };
  });
}

const toOfferingLocation = (site: Site, miles: number | null): AvailabilityContext["location"] => ({
  location: { lng: site.lng, lat: site.lat },
  distance: miles === null ? null : Math.round(miles),
  address: siteAddress(site),
  ...{ code: site.site_code, name: site.name, iana_timezone: PSC_TIME_ZONE },
});
