import { describe, expect, test } from "vitest";
import type { Element } from "../../../../../lib/connectors/imports/apple-health/element.ts";
import { ExportMapper } from "../../../../../lib/connectors/imports/apple-health/export-mapper.ts";
import type { OutgoingRecord } from "../../../../../lib/connectors/imports/mapping-outcome.ts";
import { ingestionBounds } from "../../../../../lib/domain/ingest/ingestion-bounds.ts";
import { findSummaryKind } from "../../../../../lib/domain/summaries/summary-kinds.ts";

const context = { receivedAt: Date.UTC(2024, 5), bounds: ingestionBounds(null, null) };

const element = (name: string, attributes: Record<string, string>, children: Element[] = []): Element => ({
  name,
  attributes: { sourceName: "Mia’s Apple Watch", ...attributes },
  children,
});
const metadata = (key: string, value: string) => element("MetadataEntry", { key, value });

/** The fields that the service stores. */
function stored({ resource, content }: OutgoingRecord): Readonly<Record<string, unknown>> {
  const accepted = findSummaryKind(resource)!.accept(content, context);
  return "ok" in accepted ? accepted.ok.fields : { ...accepted };
}

function mapOne(given: Element) {
  const outcome = new ExportMapper().map(given);
  if (!outcome || "leftOut" in outcome) return outcome?.leftOut;
  return { sourceType: outcome.send.source.type, ...stored(outcome.send) };
}

function derived(...elements: Element[]) {
  const mapper = new ExportMapper();
  const outcomes = elements.map((given) => mapper.map(given));
  return { outcomes, summaries: [...mapper.derived()].map(stored) };
}

describe("workouts", () => {
  const running = {
    workoutActivityType: "HKWorkoutActivityTypeRunning",
    duration: "30.5",
    durationUnit: "min",
    startDate: "2024-03-05 07:00:00 +0100",
    endDate: "2024-03-05 07:40:00 +0100",
  };
  const statistics = (type: string, attributes: Record<string, string>) =>
    element("WorkoutStatistics", { type: `HKQuantityTypeIdentifier${type}`, ...attributes });

  test("include the statistics inside their elements", () => {
    const workout = element("Workout", running, [
      statistics("DistanceWalkingRunning", { sum: "5.2", unit: "km" }),
      statistics("ActiveEnergyBurned", { sum: "410", unit: "kcal" }),
      statistics("HeartRate", { average: "151.6", minimum: "99", maximum: "178", unit: "count/min" }),
      statistics("RunningSpeed", { average: "10.8", maximum: "14.4", unit: "km/hr" }),
      metadata("HKElevationAscended", "4200 cm"),
    ]);
    expect(mapOne(workout)).toMatchObject({
      sourceType: "watch",
      sport: { id: 0, name: "Running", slug: "running" },
      time_start: "2024-03-05T06:00:00+00:00",
      time_end: "2024-03-05T06:40:00+00:00",
      timezone_offset: 3600,
      moving_time: 1830,
      distance: 5200,
      calories: 410,
      average_hr: 152,
      max_hr: 178,
      average_speed: 3,
      max_speed: 4,
      total_elevation_gain: 42,
    });
  });

  test("of older exports take their totals from attributes", () => {
    const totals = {
      totalDistance: "3.1",
      totalDistanceUnit: "mi",
      totalEnergyBurned: "0",
      totalEnergyBurnedUnit: "kcal",
    };
    expect(mapOne(element("Workout", { ...running, ...totals }))).toMatchObject({
      distance: 4988.9664,
      calories: null,
    });
  });

  test("keep their id when they are exported again in another time zone", () => {
    const idOf = (workout: Element) => {
      const mapped = mapOne(workout);
      return typeof mapped === "object" && "provider_id" in mapped ? mapped.provider_id : undefined;
    };
    const elsewhere = { startDate: "2024-03-05 06:00:00 +0000", endDate: "2024-03-05 06:40:00 +0000" };
    const id = idOf(element("Workout", running));
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(idOf(element("Workout", { ...running, ...elsewhere }))).toBe(id);
    expect(idOf(element("Workout", { ...running, workoutActivityType: "HKWorkoutActivityTypeYoga" }))).not.toBe(id);
  });

  test("have readable sport names", () => {
    const strength = { ...running, workoutActivityType: "HKWorkoutActivityTypeTraditionalStrengthTraining" };
    const sport = { name: "Traditional Strength Training", slug: "traditional_strength_training" };
    expect(mapOne(element("Workout", strength))).toMatchObject({ sport });
  });
});

describe("the profile", () => {
  const height = (value: string, unit: string, year: number) =>
    element("Record", {
      type: "HKQuantityTypeIdentifierHeight",
      value,
      unit,
      startDate: `${year}-01-01 00:00:00 +0000`,
      endDate: `${year}-01-01 00:00:00 +0000`,
    });
  const me = element("Me", {
    HKCharacteristicTypeIdentifierDateOfBirth: "1984-02-29",
    HKCharacteristicTypeIdentifierBiologicalSex: "HKBiologicalSexFemale",
  });

  test("has the latest height", () => {
    const { summaries } = derived(me, height("5.5", "ft", 2020), height("160", "cm", 2015));
    expect(summaries).toEqual([expect.objectContaining({ birth_date: "1984-02-29", sex: "female", height: 168 })]);
  });

  test("is absent when the export has no data for it", () => {
    const nothing = {
      HKCharacteristicTypeIdentifierDateOfBirth: "",
      HKCharacteristicTypeIdentifierBiologicalSex: "HKBiologicalSexNotSet",
    };
    expect(derived(element("Me", nothing)).summaries).toEqual([]);
  });
});

describe("activity summaries", () => {
  const day = (energy: string) =>
    element("ActivitySummary", {
      dateComponents: "2024-03-05",
      activeEnergyBurned: energy,
      activeEnergyBurnedUnit: "Cal",
    });

  test("exist once per day for all sources together", () => {
    expect(mapOne(day("512.5"))).toBe("part of the day's activity");
    const mapper = new ExportMapper();
    for (const energy of ["512.5", "300"]) mapper.map(day(energy));
    const source = { type: "multiple_sources", deviceId: null, appId: null };
    const content = { calendar_date: "2024-03-05", calories_active: 512.5 };
    expect([...mapper.derived()]).toMatchObject([{ resource: "activity", source, key: "2024-03-05", content }]);
  });

  test("without energy are skipped as placeholders", () => {
    expect(mapOne(day("0"))).toBe("activity summary without energy");
  });
});

test("unmapped elements have a reason, and elements without data have none", () => {
  expect(mapOne(element("ClinicalRecord", {}))).toBe("clinical record");
  expect(mapOne(element("Audiogram", {}))).toBe("unmapped element Audiogram");
  expect(mapOne(element("Record", { type: "HKQuantityTypeIdentifierBloodPressureSystolic" }))).toBe(
    "duplicate in correlation",
  );
  expect(mapOne(element("ExportDate", {}))).toBeUndefined();
});

test("the resting heart rate joins its day's summary, whether the summary comes before, after or not at all", () => {
  const resting = (day: string, hour: string, value: string) =>
    element("Record", {
      type: "HKQuantityTypeIdentifierRestingHeartRate",
      unit: "count/min",
      value,
      startDate: `${day} ${hour}:00:00 +0100`,
      endDate: `${day} ${hour}:00:00 +0100`,
    });
  const summary = (dateComponents: string) =>
    element("ActivitySummary", { dateComponents, activeEnergyBurned: "300", activeEnergyBurnedUnit: "kcal" });
  const { outcomes, summaries } = derived(
    summary("2024-03-01"),
    resting("2024-03-01", "00", "51"),
    resting("2024-03-02", "23", "53"),
    resting("2024-03-02", "00", "52"),
    resting("2024-03-03", "00", "54"),
    summary("2024-03-02"),
  );
  expect(outcomes[1]).toEqual({ leftOut: "part of the day's activity" });
  expect(summaries).toMatchObject([
    { calendar_date: "2024-03-01", calories_active: 300, heart_rate: { resting_bpm: 51 } },
    { calendar_date: "2024-03-02", calories_active: 300, heart_rate: { resting_bpm: 53 } },
    { calendar_date: "2024-03-03", calories_active: null, heart_rate: { resting_bpm: 54 } },
  ]);
});
