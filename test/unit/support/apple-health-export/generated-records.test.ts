import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type ExportTruth,
  generateExport,
  type TruthSample,
} from "../../../support/apple-health-export/generate-export.ts";
import {
  type ReadExport,
  readExport,
  readSamples,
  toTruthSample,
} from "../../../support/apple-health-export/read-export.ts";

const SLEEP = "HKCategoryTypeIdentifierSleepAnalysis";
const year = { records: 12_000, seed: 7, days: 300, endDate: "2024-06-30" };
let folder: string;
let truth: ExportTruth;
let read: ReadExport;
let samples: Record<string, TruthSample[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "apple-health-export-"));
  truth = await generateExport({ ...year, path: join(folder, "year.xml"), keepTruth: true });
  read = await readExport(join(folder, "year.xml"));
  samples = readSamples(read);
});

afterAll(() => rm(folder, { recursive: true }));

function named(name: string) {
  return read.elements.filter((element) => element.name === name);
}

/** Regular samples only. Unusual samples come last within their type, from one source or repeated. */
function regular(type: string): TruthSample[] {
  const odd = truth.unusual.filter((unusual) => unusual.type === type).length;
  return samples[type]!.slice(0, samples[type]!.length - odd);
}

/** For each zone, a function that reads its UTC offset in seconds from the platform. */
function offsetReaders(zones: Set<string>): Map<string, (ms: number) => number> {
  const readers = [...zones].map((timeZone): [string, (ms: number) => number] => {
    const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset", hour: "numeric" });
    return [
      timeZone,
      (ms) => {
        const [, hours, minutes] = format.format(ms).match(/GMT([+-]\d\d):(\d\d)/)!;
        return Number(hours) * 3600 + Number(minutes) * 60;
      },
    ];
  });
  return new Map(readers);
}

describe("the generated file", () => {
  test("uses only declared elements and attributes, and all required ones", () => {
    const lists = read.doctype.matchAll(/<!ATTLIST (\S+)\n([^>]*)>/g);
    const declared = new Map([...lists].map(([, name, list]) => [name, [...list!.matchAll(/(\S+)\s+CDATA #(\S+)/g)]]));
    for (const { name, attributes } of read.elements) {
      expect(read.doctype).toContain(`<!ELEMENT ${name} `);
      const rules = declared.get(name) ?? [];
      expect(rules.map(([, attribute]) => attribute)).toEqual(expect.arrayContaining(Object.keys(attributes)));
      const required = rules.filter(([, , presence]) => presence === "REQUIRED").map(([, attribute]) => attribute);
      expect(Object.keys(attributes)).toEqual(expect.arrayContaining(required));
    }
  });

  test("contains every type in each of its units, even with 100 records", async () => {
    await generateExport({ ...year, records: 100, days: 30, path: join(folder, "small.xml") });
    const small = readSamples(await readExport(join(folder, "small.xml")));
    expect(Object.keys(small).sort()).toEqual(Object.keys(samples).sort());
    expect(Object.keys(small).length).toBeGreaterThanOrEqual(35);
    const units = (all: Record<string, TruthSample[]>) =>
      Object.entries(all).map(([type, list]) => [type, [...new Set(list.map(({ unit }) => unit))].sort()]);
    expect(new Map(units(small) as [string, string[]][])).toEqual(new Map(units(samples) as [string, string[]][]));
  });

  test("writes the UTC offset of the record's location at its time", () => {
    const places = new Map([
      [3600, "Europe/Berlin"],
      [7200, "Europe/Berlin"],
      [-25200, "America/Phoenix"],
      [19800, "Asia/Kolkata"],
    ]);
    const offsetS = offsetReaders(new Set(places.values()));
    const all = Object.values(samples).flat();
    for (const sample of all) {
      expect(offsetS.get(places.get(sample.offsetS)!)!(sample.start), `${sample.start}`).toBe(sample.offsetS);
    }
    expect(new Set(all.map((sample) => sample.offsetS))).toEqual(new Set(places.keys()));
  });

  test("names the time zone of the offset", () => {
    const zones = read.elements.flatMap(({ attributes }, index) => {
      const owner = read.elements[index - 1]!;
      return attributes.key === "HKTimeZone" && owner.name === "Record" ? [{ zone: attributes.value!, owner }] : [];
    });
    const offsetS = offsetReaders(new Set(zones.map(({ zone }) => zone)));
    expect([...offsetS.keys()].sort()).toEqual(["America/Phoenix", "Asia/Kolkata", "Europe/Berlin"]);
    for (const { zone, owner } of zones) {
      const sample = toTruthSample(owner.attributes);
      expect(offsetS.get(zone)!(sample.start), zone).toBe(sample.offsetS);
    }
  });

  test("keeps the records of a source in order and without overlap", () => {
    for (const type of Object.keys(samples).filter((name) => name !== SLEEP)) {
      for (const list of Object.values(Object.groupBy(regular(type), ({ source }) => source))) {
        for (const [index, sample] of list!.entries()) {
          const previous = list![index - 1];
          if (previous === undefined) continue;
          expect(sample.start, type).toBeGreaterThan(previous.start);
          expect(sample.start, type).toBeGreaterThanOrEqual(previous.end);
        }
      }
    }
  });

  test("fills most nights with consecutive stages inside the time in bed", () => {
    const sleep = regular(SLEEP);
    const inBed = sleep.filter(({ value }) => value === "HKCategoryValueSleepAnalysisInBed");
    expect(inBed.length).toBeGreaterThan(year.days * 0.8);
    expect(new Set(sleep.map(({ value }) => value!.replace("HKCategoryValueSleepAnalysis", "")))).toEqual(
      new Set(["InBed", "AsleepCore", "AsleepDeep", "AsleepREM", "Awake"]),
    );
    for (const { start, end } of inBed) {
      const stages = sleep.filter((one) => one.source === "watch" && one.start >= start && one.end <= end);
      expect(stages.map((one) => one.start)).toEqual([start, ...stages.slice(0, -1).map((one) => one.end)]);
      expect(stages.at(-1)!.end).toBe(end);
    }
  });

  test("repeats top-level records in correlations", () => {
    const top = new Set(
      named("Record").flatMap(({ depth, attributes }) => (depth === 1 ? [JSON.stringify(attributes)] : [])),
    );
    const nested = named("Record").filter(({ parent }) => parent === "Correlation");
    expect(nested.every(({ attributes }) => top.has(JSON.stringify(attributes)))).toBe(true);
    expect(new Set(named("Correlation").map(({ attributes }) => attributes.type))).toEqual(
      new Set(["HKCorrelationTypeIdentifierBloodPressure", "HKCorrelationTypeIdentifierFood"]),
    );
  });

  test("contains the workouts of the ground truth", () => {
    const workouts = named("Workout").map(({ attributes }) => ({ ...toTruthSample(attributes), attributes }));
    const stated = workouts.map(({ start, end, offsetS, attributes }) => ({
      start,
      end,
      offsetS,
      activityType: attributes.workoutActivityType,
      durationMin: Number(attributes.duration),
    }));
    expect(stated).toEqual(truth.workoutList!.map(({ distanceKm: _km, energyCal: _cal, ...rest }) => rest));
    const pauseMin = 1.5;
    for (const { start, end, durationMin } of stated) {
      expect(durationMin).toBeCloseTo((end - start) / 60_000 - pauseMin, 6);
    }
    const sums = named("WorkoutStatistics").filter(({ attributes }) => attributes.unit === "Cal");
    expect(sums.map(({ attributes }) => Number(attributes.sum))).toEqual(
      truth.workoutList!.map((one) => one.energyCal),
    );
  });
});
