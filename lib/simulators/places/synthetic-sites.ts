import { billingTypes } from "../../domain/lab-tests/lab-account.ts";
import { milesBetween } from "../../domain/places/distance.ts";
import { type Site, type SiteCapability, siteCapabilities } from "../../domain/places/site.ts";
import { stateOfZip } from "../../domain/places/us-states.ts";
import type { ZipCentroid, ZipTable } from "../../domain/places/zip-pack.ts";
import { commonNames, towns } from "./towns.ts";

type Lab = Site["lab"];
interface Place extends ZipCentroid {
  readonly code: string;
  readonly state: string;
}
interface Town extends Place {
  readonly name: string;
}

/** Number of random sites per laboratory, their states (default: all), and the minimum per state. */
const spread: readonly { lab: Lab; prefix: string; sites: number; atLeast: number; states?: readonly string[] }[] = [
  { lab: "quest", prefix: "QSY", sites: 950, atLeast: 4 },
  { lab: "labcorp", prefix: "LSY", sites: 950, atLeast: 4 },
  {
    lab: "bioreference",
    prefix: "BSY",
    sites: 220,
    atLeast: 3,
    states: ["NY", "NJ", "FL", "CA", "TX", "PA", "MD", "IL"],
  },
  { lab: "sonora_quest", prefix: "SSY", sites: 70, atLeast: 3, states: ["AZ"] },
];

/** Number of towns with guaranteed sites, and of guaranteed sites per town and laboratory. */
const SURE_TOWNS = 5;
const SITES_AT_SURE_TOWNS = 4;
const TOWN_MILES = 12;
/** Probability of each capability by laboratory. The service books appointments at two laboratories itself. */
const chances: Readonly<Record<SiteCapability, Partial<Record<Lab, number>>>> = {
  stat: { quest: 0.25, labcorp: 0.25, bioreference: 0.2, sonora_quest: 0.25 },
  appointment_scheduling_via_service: { quest: 0.7, sonora_quest: 0.7 },
  appointment_scheduling_with_lab: { quest: 0.8, labcorp: 0.8, bioreference: 0.5, sonora_quest: 0.8 },
};
const hours = ["Mo-Fr 07:00-15:30", "Mo-Fr 06:30-14:30; Sa 07:00-11:00", "Mo-Fr 08:00-16:30", "Mo-Sa 07:00-13:00"];
const streets = ["Example Street", "Sample Avenue", "Specimen Road", "Placeholder Boulevard", "Test Lane"];

/** A deterministic random number generator in [0, 1) (mulberry32). */
function draws(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Generates synthetic patient service centers in every state: at real places, with addresses and telephone numbers that
 * are recognizably fictitious. Deterministic by seed.
 */
export function syntheticSites(zips: ZipTable, seed: number): Site[] {
  const draw = draws(seed);
  const places = [...zips].flatMap(({ zip, ...at }): Place[] => {
    const code = String(zip).padStart(5, "0");
    const state = stateOfZip(code);
    return state === undefined ? [] : [{ zip, code, state, ...at }];
  });
  const large = towns.flatMap(([zip, name]) =>
    places.filter(({ code }) => code === zip).map((at) => ({ ...at, name })),
  );
  return spread.flatMap((lab) => {
    const served = places.filter(({ state }) => !lab.states || lab.states.includes(state));
    const chosen = [...sure(served), ...perState(served, lab.atLeast, draw), ...sample(served, lab.sites, draw)];
    return chosen.map((place, index) => siteAt({ place, large, index, ...lab }, draw));
  });
}

/** The places of the guaranteed towns, repeated per site. */
function sure(places: readonly Place[]): Place[] {
  const codes = towns.slice(0, SURE_TOWNS).map(([zip]) => zip);
  const there = places.filter(({ code }) => codes.includes(code));
  return Array.from({ length: SITES_AT_SURE_TOWNS }, () => there).flat();
}

function perState(places: readonly Place[], count: number, draw: () => number): Place[] {
  return [...Map.groupBy(places, ({ state }) => state).values()].flatMap((inState) => sample(inState, count, draw));
}

function sample(places: readonly Place[], count: number, draw: () => number): Place[] {
  return Array.from({ length: count }, () => places[Math.floor(draw() * places.length)]!);
}

interface Plan {
  readonly place: Place;
  readonly large: readonly Town[];
  readonly lab: Lab;
  readonly prefix: string;
  readonly index: number;
}

function siteAt({ place, large, lab, prefix, index }: Plan, draw: () => number): Site {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)]!;
  const near = () => Number(((draw() - 0.5) * 0.03).toFixed(4));
  const number = String(index + 1).padStart(4, "0");
  return {
    lab,
    site_code: `${prefix}${number}`,
    name: `Synthetic Draw Site ${prefix}${number}`,
    first_line: `${100 + Math.floor(draw() * 9_000)} ${pick(streets)}`,
    second_line: draw() < 0.3 ? `Suite ${1 + Math.floor(draw() * 40)}` : null,
    city: cityAt(place, large, pick),
    state: place.state,
    zip_code: place.code,
    lat: Number((place.lat + near()).toFixed(4)),
    lng: Number((place.lng + near()).toFixed(4)),
    phone_number: `+1555555${String(100 + (index % 100)).padStart(4, "0")}`,
    fax_number: draw() < 0.5 ? `+1555555${String(100 + ((index + 50) % 100)).padStart(4, "0")}` : null,
    website: null,
    hours: draw() < 0.9 ? pick(hours) : null,
    capabilities: siteCapabilities.filter((capability) => draw() < (chances[capability][lab] ?? 0)),
    bill_types: billingTypes.filter((type) => type === "client_bill" || draw() < 0.7),
  };
}

/** The name of a nearby large town in the same state, or a common town name. */
function cityAt(place: Place, large: readonly Town[], pick: (names: readonly string[]) => string): string {
  const town = large.find(({ state, ...at }) => state === place.state && milesBetween(at, place) <= TOWN_MILES);
  return town?.name ?? pick(commonNames);
}
