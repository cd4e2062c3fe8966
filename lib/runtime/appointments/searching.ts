import type * as z from "zod";
import type { PscAvailabilityQuery, UsAddress } from "../../domain/appointments/appointment-requests.ts";
import { refusedSearch } from "../../domain/appointments/appointment-requests.ts";
import { availability, type DayOfSlots, PSC_ZONE } from "../../domain/appointments/slots.ts";
import { clockAt } from "../../domain/appointments/wall-clock.ts";
import {
  type Offering,
  toWireDays,
  type WireDay,
  type wireAvailability,
} from "../../domain/appointments/wire-availability.ts";
import { milesBetween } from "../../domain/places/distance.ts";
import { sitesAround } from "../../domain/places/nearest-sites.ts";
import type { Site } from "../../domain/places/site.ts";
import type { SlotStore } from "../../store/slots.ts";
import { NotPossible } from "../errors.ts";
import { places } from "../places.ts";
import { ports } from "../ports.ts";
import { homeArea } from "./at-home.ts";
import { bookableSites, siteAddress } from "./at-sites.ts";

type Availability = z.output<typeof wireAvailability>;

/** Reads the booked slots of a place between two instants (epoch ms). */
export type HeldTimes = SlotStore["heldBetween"];

/** Maximum number of sites in one search around a zip code, nearest first. */
const MOST_SITES = 10;

/** Searches the free slots of phlebotomists who visit an address. @throws NotPossible for a past start date. */
export async function searchAtHome(
  teamId: string,
  { address, startDate }: { readonly address: UsAddress; readonly startDate: string | undefined },
  heldTimes: HeldTimes,
): Promise<Availability> {
  const area = await homeArea(address);
  if (!area) return { slots: [], timezone: null };
  const nowMs = ports().clock.now();
  const days = availability("phlebotomy", area.zone, startOf(startDate, area.zone, nowMs), nowMs);
  const offered = area.ready.map((provider) =>
    freeDays(days, { teamId, kind: "phlebotomy", provider, place: area.zip, location: null }, nowMs, heldTimes),
  );
  return { slots: (await Promise.all(offered)).flat(), timezone: area.zone };
}

/** Searches the free slots of patient service centers. @throws NotPossible for an invalid search. */
export async function searchAtSites(
  teamId: string,
  query: PscAvailabilityQuery,
  heldTimes: HeldTimes,
): Promise<Availability> {
  const refused = refusedSearch(query);
  if (refused !== undefined) throw new NotPossible(refused);
  const nowMs = ports().clock.now();
  const days = availability("patient_service_center", PSC_ZONE, startOf(query.start_date, PSC_ZONE, nowMs), nowMs);
  const offered = (await searchedSites(query)).map(({ site, miles }) => {
    const location = locationOf(site, miles);
    const kind = "patient_service_center";
    return freeDays(days, { teamId, kind, provider: site.lab, place: site.site_code, location }, nowMs, heldTimes);
  });
  return { slots: (await Promise.all(offered)).flat(), timezone: PSC_ZONE };
}

/** The first day of a search, by default today in the zone. @throws NotPossible for a past day. */
function startOf(startDate: string | undefined, zone: string, nowMs: number): string {
  const today = clockAt(zone, nowMs).date;
  if (startDate !== undefined && startDate < today) throw new NotPossible("start_date is in the past.");
  return startDate ?? today;
}

async function freeDays(
  days: readonly DayOfSlots[],
  offering: Offering,
  nowMs: number,
  heldTimes: HeldTimes,
): Promise<WireDay[]> {
  const times = days.flatMap(({ slots }) => slots);
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return [];
  const held = await heldTimes(offering, first.startMs, last.startMs);
  return toWireDays(days, offering, (startMs) => held.has(startMs), nowMs);
}

/** Resolves the requested sites, or those near the zip code. @throws NotPossible for a site that is not bookable. */
async function searchedSites({ lab, site_codes = [], zip_code, radius }: PscAvailabilityQuery) {
  const sites = await bookableSites(lab);
  const at = zip_code === undefined ? undefined : (await places()).zips.locate(zip_code);
  if (site_codes.length === 0) {
    return at ? sitesAround(sites, { at, radiusMiles: Number(radius) }).slice(0, MOST_SITES) : [];
  }
  return [...new Set(site_codes)].map((code) => {
    const site = sites.find(({ site_code }) => site_code === code);
    if (!site) throw new NotPossible("A site code does not belong to a bookable site.");
    return { site, miles: at ? milesBetween(at, site) : null };
  });
}

const locationOf = (site: Site, miles: number | null): Offering["location"] => ({
  location: { lng: site.lng, lat: site.lat },
  distance: miles === null ? null : Math.round(miles),
  address: siteAddress(site),
  ...{ code: site.site_code, name: site.name, iana_timezone: PSC_ZONE },
});
