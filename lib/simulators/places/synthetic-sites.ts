import { billingTypes } from "../../domain/lab-tests/lab-account.ts";
import { milesBetween } from "../../domain/places/distance.ts";
import { type Site, type SiteCapability, siteCapabilities } from "../../domain/places/site.ts";
import { stateOfZip } from "../../domain/places/us-states.ts";
import type { ZipCentroid, ZipTable } from "../../domain/places/zip-table.ts";
import { commonTownNames, towns } from "./towns.ts";

type Lab = Site["lab"];
interface ZipPlace extends ZipCentroid {
  readonly code: string;
  readonly state: string;
}
interface Town extends ZipPlace {
  readonly name: string;
}

/** Number of random sites per laboratory, their states (default: all), and the minimum per state. */
const labDistribution: readonly {
  lab: Lab;
  prefix: string;
  sites: number;
  atLeast: number;
  states?: readonly string[];
}[] = [
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
const GUARANTEED_TOWNS = 5;
const SITES_PER_GUARANTEED_TOWN = 4;
const TOWN_RADIUS_MILES = 12;
/** Probability of each capability by laboratory. The service books appointments at two laboratories itself. */
const capabilityProbabilities: Readonly<Record<SiteCapability, Partial<Record<Lab, number>>>> = {
  stat: { quest: 0.25, labcorp: 0.25, bioreference: 0.2, sonora_quest: 0.25 },
  appointment_scheduling_via_service: { quest: 0.7, sonora_quest: 0.7 },
  appointment_scheduling_with_lab: { quest: 0.8, labcorp: 0.8, bioreference: 0.5, sonora_quest: 0.8 },
};
const hours = ["Mo-Fr 07:00-15:30", "Mo-Fr 06:30-14:30; Sa 07:00-11:00", "Mo-Fr 08:00-16:30", "Mo-Sa 07:00-13:00"];
const streets = ["Example Street", "Sample Avenue", "Specimen Road", "Placeholder Boulevard", "Test Lane"];

/** A deterministic random number generator in [0, 1) (mulberry32). */
function createRandom(seed: number): () => number {
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
export function generateSyntheticSites(zips: ZipTable, seed: number): Site[] {
  const random = createRandom(seed);
  const places = [...zips].flatMap(({ zip, ...at }): ZipPlace[] => {
    const code = String(zip).padStart(5, "0");
    const state = stateOfZip(code);
    return state === undefined ? [] : [{ zip, code, state, ...at }];
  });
  const large = towns.flatMap(([zip, name]) =>
    places.filter(({ code }) => code === zip).map((at) => ({ ...at, name })),
  );
  return labDistribution.flatMap((lab) => {
    const served = places.filter(({ state }) => !lab.states || lab.states.includes(state));
    const chosen = [
      ...guaranteedPlaces(served),
      ...samplePerState(served, lab.atLeast, random),
      ...sample(served, lab.sites, random),
    ];
    return chosen.map((place, index) => generateSite({ place, large, index, ...lab }, random));
  });
}

/** The places of the guaranteed towns, repeated per site. */
function guaranteedPlaces(places: readonly ZipPlace[]): ZipPlace[] {
  const codes = towns.slice(0, GUARANTEED_TOWNS).map(([zip]) => zip);
  const there = places.filter(({ code }) => codes.includes(code));
  return Array.from({ length: SITES_PER_GUARANTEED_TOWN }, () => there).flat();
}

function samplePerState(places: readonly ZipPlace[], count: number, draw: () => number): ZipPlace[] {
  return [...Map.groupBy(places, ({ state }) => state).values()].flatMap((inState) => sample(inState, count, draw));
}

function sample(places: readonly ZipPlace[], count: number, draw: () => number): ZipPlace[] {
  return Array.from({ length: count }, () => places[Math.floor(draw() * places.length)]!);
}

interface SiteInput {
  readonly place: ZipPlace;
  readonly large: readonly Town[];
  readonly lab: Lab;
  readonly prefix: string;
  readonly index: number;
}

function generateSite({ place, large, lab, prefix, index }: SiteInput, draw: () => number): Site {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(draw() * values.length)]!;
  const near = () => Number(((draw() - 0.5) * 0.03).toFixed(4));
  const number = String(index + 1).padStart(4, "0");
  return {
    lab,
    site_code: `${prefix}${number}`,
    name: `Synthetic Draw Site ${prefix}${number}`,
    first_line: `${100 + Math.floor(draw() * 9_000)} ${pick(streets)}`,
    second_line: draw() < 0.3 ? `Suite ${1 + Math.floor(draw() * 40)}` : null,
    city: cityName(place, large, pick),
    state: place.state,
    zip_code: place.code,
    lat: Number((place.lat + near()).toFixed(4)),
    lng: Number((place.lng + near()).toFixed(4)),
    phone_number: `+1555555${String(100 + (index % 100)).padStart(4, "0")}`,
    fax_number: draw() < 0.5 ? `+1555555${String(100 + ((index + 50) % 100)).padStart(4, "0")}` : null,
    website: null,
    hours: draw() < 0.9 ? pick(hours) : null,
    capabilities: siteCapabilities.filter((capability) => draw() < (capabilityProbabilities[capability][lab] ?? 0)),
    bill_types: billingTypes.filter((type) => type === "client_bill" || draw() < 0.7),
  };
}

/** The name of a nearby large town in the same state, or a common town name. */
function cityName(place: ZipPlace, large: readonly Town[], pick: (names: readonly string[]) => string): string {
  const town = large.find(({ state, ...at }) => state === place.state && milesBetween(at, place) <= TOWN_RADIUS_MILES);
  return town?.name ?? pick(commonTownNames);
}
