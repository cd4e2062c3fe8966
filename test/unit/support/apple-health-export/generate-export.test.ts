import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPromise } from "yauzl";
import {
  type ExportTruth,
  generateExport,
  sampleHash,
  type TruthSample,
} from "../../../support/apple-health-export/generate-export.ts";
import { type ReadExport, readExport, readSamples } from "../../../support/apple-health-export/read-export.ts";

const SLEEP = "HKCategoryTypeIdentifierSleepAnalysis";
const year = { records: 6000, seed: 7, days: 240, endDate: "2024-06-30" };
let folder: string;
let truth: ExportTruth;
let read: ReadExport;
let samples: Record<string, TruthSample[]>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "apple-health-export-"));
  truth = await generateExport({ ...year, path: join(folder, "year.xml"), keepTruth: true, writeTruth: true });
  read = await readExport(join(folder, "year.xml"));
  samples = readSamples(read);
});

afterAll(() => rm(folder, { recursive: true }));

function named(name: string) {
  return read.elements.filter((element) => element.name === name);
}

describe("the ground truth", () => {
  test("lists every top-level record exactly as a generic parser reads it", () => {
    expect(samples).toEqual(truth.samples);
  });

  test("counts the elements and bytes of the file", async () => {
    const { records, nestedRecords, correlations, workouts, activitySummaries, xmlBytes } = truth;
    expect(records).toBe(year.records);
    expect(named("Record").filter(({ depth }) => depth === 1)).toHaveLength(records);
    expect(named("Record").filter(({ depth }) => depth === 2)).toHaveLength(nestedRecords);
    expect(named("Correlation")).toHaveLength(correlations);
    expect(named("Workout")).toHaveLength(workouts);
    expect(named("ActivitySummary")).toHaveLength(activitySummaries);
    expect((await stat(join(folder, "year.xml"))).size).toBe(xmlBytes);
  });

  test("contains the count, the sum and an order-independent checksum per type", () => {
    for (const [type, list] of Object.entries(samples)) {
      expect(truth.counts[type], type).toBe(list.length);
      expect(truth.checksums[type], type).toBe(
        list.toReversed().reduce((sum, sample) => (sum + sampleHash(sample)) >>> 0, 0),
      );
    }
    const steps = samples.HKQuantityTypeIdentifierStepCount!.reduce((sum, { value }) => sum + Number(value), 0);
    expect(truth.sums.HKQuantityTypeIdentifierStepCount).toBe(steps);
    const asleepS = samples[SLEEP]!.reduce((sum, { start, end }) => sum + (end - start) / 1000, 0);
    expect(truth.sums[SLEEP]).toBe(asleepS);
  });

  test("equals the JSON lines beside the file", async () => {
    const lines = (await readFile(join(folder, "year.xml.truth.jsonl"), "utf8")).trim().split("\n");
    const written: Record<string, TruthSample[]> = {};
    for (const { type, ...sample } of lines.map((line) => JSON.parse(line))) {
      written[type] = [...(written[type] ?? []), sample];
    }
    expect(written).toEqual(truth.samples);
  });

  test("contains no samples unless requested", async () => {
    const brief = await generateExport({ ...year, path: join(folder, "brief.xml") });
    const { samples: _samples, workoutList: _workouts, ...figures } = truth;
    expect(brief).toEqual(figures);
  });
});

describe("unusual records", () => {
  const oddities = (kind: string) => {
    const { type, start } = truth.unusual.find((unusual) => unusual.kind === kind)!;
    return samples[type]!.filter((sample) => sample.start === start);
  };

  test("include an exact duplicate and a corrected value with the same start", () => {
    const [original, duplicate] = oddities("exact duplicate");
    expect(duplicate).toEqual(original);
    const [first, corrected] = oddities("corrected value");
    expect(corrected).toEqual({ ...first, value: "71.23" });
    expect(first!.value).not.toBe("71.23");
  });

  test("include an empty value, an out-of-order record, and character references", () => {
    expect(oddities("empty value").at(-1)!.value).toBe("");
    expect(oddities("out of order")[0]!.start).toBeLessThan(samples.HKQuantityTypeIdentifierHeartRate![0]!.start);
    const names = named("Record").map(({ attributes }) => attributes.sourceName!);
    expect(names).toContain('Zoë & Ana’s "<Fit>"');
    expect(Math.max(...names.map(({ length }) => length))).toBeGreaterThan(2000);
    expect(named("MetadataEntry").map(({ attributes }) => attributes.value)).toContain("first line\nsecond line 🙂");
  });
});

describe("the generator", () => {
  test("gives the same export for the same seed and another for another seed", async () => {
    const write = async (name: string, seed: number) => {
      await generateExport({ ...year, records: 500, seed, path: join(folder, name) });
      return readFile(join(folder, name), "utf8");
    };
    const [first, again, other] = [await write("a", 1), await write("b", 1), await write("c", 2)];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  test.each([{ records: 99 }, { records: 50_001, days: 1 }, { days: 0 }, { endDate: "soon" }])(
    "rejects %o",
    async (wish) => {
      const path = join(folder, "never.xml");
      await expect(generateExport({ ...year, ...wish, path })).rejects.toThrow(RangeError);
    },
  );
});

describe("the archive", () => {
  test("contains the same export.xml, and the route file of a workout", async () => {
    await generateExport({ ...year, path: join(folder, "year.zip"), zip: true });
    const archive = await openPromise(join(folder, "year.zip"));
    const contents = new Map<string, string>();
    for await (const entry of archive.eachEntry()) {
      contents.set(entry.fileName, (await buffer(await archive.openReadStreamPromise(entry))).toString());
    }
    const route = `apple_health_export${named("FileReference")[0]!.attributes.path}`;
    expect([...contents.keys()].sort()).toEqual([
      "apple_health_export/electrocardiograms/ecg_2024-06-30.csv",
      "apple_health_export/export.xml",
      "apple_health_export/export_cda.xml",
      route,
    ]);
    expect(contents.get("apple_health_export/export.xml")).toBe(await readFile(join(folder, "year.xml"), "utf8"));
  });
});
