import { describe, expect, test } from "vitest";
import type { Element } from "../../../../../lib/connectors/imports/apple-health/element.ts";
import { mapCorrelation } from "../../../../../lib/connectors/imports/apple-health/map-correlation.ts";
import { mapRecord } from "../../../../../lib/connectors/imports/apple-health/map-record.ts";
import { quantityTypes } from "../../../../../lib/connectors/imports/apple-health/quantity-types.ts";
import { readSource } from "../../../../../lib/connectors/imports/apple-health/record-source.ts";
import { convertUnit } from "../../../../../lib/connectors/imports/apple-health/unit-conversion.ts";
import type { MappingOutcome } from "../../../../../lib/connectors/imports/mapping-outcome.ts";
import { ingestionBounds } from "../../../../../lib/domain/ingest/ingestion-bounds.ts";
import { acceptRecord } from "../../../../../lib/domain/timeseries/accept-record.ts";
import { findResource } from "../../../../../lib/domain/timeseries/resources.ts";

const QUANTITY = "HKQuantityTypeIdentifier";
const CATEGORY = "HKCategoryTypeIdentifier";
const times = { startDate: "2024-03-05 07:12:33 +0100", endDate: "2024-03-05 07:14:33 +0100" };
const context = { receivedAt: Date.UTC(2024, 5), bounds: ingestionBounds(null, null) };

function record(type: string, attributes: Record<string, string>, meta: Record<string, string> = {}): Element {
  const children = Object.entries(meta).map(([key, value]) => ({
    name: "MetadataEntry",
    attributes: { key, value },
    children: [],
  }));
  return { name: "Record", attributes: { type, sourceName: "App", ...times, ...attributes }, children };
}

/** The result of mapping and acceptance: the resource and the stored sample, or the reason of either side. */
function stored(outcome: MappingOutcome) {
  if ("leftOut" in outcome) return outcome.leftOut;
  const { resource, content } = outcome.send;
  const accepted = acceptRecord(findResource(resource)!, content, context);
  return "ok" in accepted ? { resource, ...accepted.ok } : accepted.reason;
}

const quantity = (type: string, value: string, unit: string, meta: Record<string, string> = {}) =>
  stored(mapRecord(record(`${QUANTITY}${type}`, { value, unit }, meta)));

describe("mapRecord for quantities", () => {
  test("keeps the start, end and offset of an interval", () => {
    expect(quantity("StepCount", "120", "count")).toEqual({
      resource: "steps",
      start: Date.UTC(2024, 2, 5, 6, 12, 33),
      end: Date.UTC(2024, 2, 5, 6, 14, 33),
      value: 120,
      offsetS: 3600,
      type: null,
    });
  });

  test.each([
    ["HeartRate", "72", "count/min", "heartrate", 72],
    ["OxygenSaturation", "0.97", "%", "blood_oxygen", 97],
    ["BodyFatPercentage", "0.57", "%", "body_fat", 57],
    ["OxygenSaturation", "98", "%", "blood_oxygen", 98],
    ["OxygenSaturation", "1", "%", "blood_oxygen", 100],
    ["BodyFatPercentage", "18.5", "%", "body_fat", 18.5],
    ["BodyMass", "154.3", "lb", "body_weight", 69.989302691],
    ["BloodGlucose", "5.4", "mmol<180.1558800000541>/L", "glucose", 5.4],
    ["BloodGlucose", "100", "mg/dL", "glucose", 5.55074860726],
    ["BodyTemperature", "98.6", "degF", "body_temperature", 37],
    ["DistanceWalkingRunning", "1.5", "mi", "distance", 2414.016],
    ["DistanceCycling", "2", "km", "workout_distance", 2000],
    ["ActiveEnergyBurned", "12", "Cal", "calories_active", 12],
    ["BasalEnergyBurned", "418.4", "kJ", "calories_basal", 100],
    ["AppleStandTime", "0.5", "hr", "stand_duration", 30],
    ["DietaryCaffeine", "80", "mg", "caffeine", 0.08],
    ["DietaryWater", "8", "fl_oz_us", "water", 236.5882365],
    ["WaistCircumference", "32", "in", "waist_circumference", 81.28],
    ["VO2Max", "41.2", "mL/min·kg", "vo2_max", 41.2],
    ["HeartRateRecoveryOneMinute", "31", "count/min", "heart_rate_recovery_one_minute", 31],
  ])("maps %s %s %s to %s %d", (type, value, unit, resource, expected) => {
    expect(quantity(type, value, unit)).toMatchObject({ resource, value: expected });
  });

  test("labels Apple's heart rate variability as SDNN", () => {
    expect(quantity("HeartRateVariabilitySDNN", "43.5", "ms")).toMatchObject({ resource: "hrv", type: "sdnn" });
  });

  test("distinguishes the measurement site of a temperature", () => {
    const fields = { sensor_location: "ear" };
    expect(quantity("BodyTemperature", "37", "degC", { HKBodyTemperatureSensorLocation: "3" })).toMatchObject({
      fields,
    });
    const wrist = quantity("AppleSleepingWristTemperature", "35.1", "degC");
    expect(wrist).toMatchObject({ resource: "body_temperature", fields: { sensor_location: "wrist" } });
  });

  test("maps insulin by its delivery reason and rejects a record without one", () => {
    const bolus = { type: "rapid_acting", fields: { delivery_mode: "bolus" } };
    expect(quantity("InsulinDelivery", "4", "IU", { HKInsulinDeliveryReason: "2" })).toMatchObject(bolus);
    expect(quantity("InsulinDelivery", "4", "IU")).toBe("insulin without reason");
  });

  test("has a conversion to the unit of every target resource", () => {
    const units = ["count", "m", "kcal", "min", "kg", "degC", "L", "L/min", "mL/min·kg", "count/min", "ms", "%", "IU"];
    for (const [type, rule] of quantityTypes) {
      const to = rule.unit ?? findResource(rule.resource)!.unit;
      expect([type, [...units, "mg/dL"].some((unit) => convertUnit(1, unit, to) !== undefined)]).toEqual([type, true]);
    }
  });

  test("gives the reason why a record is not imported", () => {
    expect(quantity("RestingHeartRate", "50", "count/min")).toBe(`unmapped type ${QUANTITY}RestingHeartRate`);
    expect(quantity("HeartRate", "", "count/min")).toBe("bad value");
    expect(quantity("HeartRate", "abc", "count/min")).toBe("bad value");
    expect(quantity("HeartRate", "60", "mmHg")).toBe("unknown unit");
    expect(stored(mapRecord(record(`${QUANTITY}HeartRate`, { value: "60", startDate: "05.03.2024 07:12" })))).toBe(
      "bad date",
    );
    expect(quantity("OxygenSaturation", "197", "%")).toBe("value_out_of_range");
  });
});

describe("mapRecord for categories", () => {
  const category = (type: string, value: string) => stored(mapRecord(record(`${CATEGORY}${type}`, { value })));

  test("counts events and mindful minutes", () => {
    expect(category("HandwashingEvent", "0")).toMatchObject({ resource: "handwashing", value: 1 });
    expect(category("MindfulSession", "0")).toMatchObject({ resource: "mindfulness_minutes", value: 2 });
    expect(category("HighHeartRateEvent", "0")).toMatchObject({
      resource: "heart_rate_alert",
      type: "high_heart_rate",
    });
    expect(category("SleepApneaEvent", "0")).toMatchObject({ resource: "sleep_apnea_alert", value: 1 });
  });

  test("distinguishes stood hours from idle hours", () => {
    expect(category("AppleStandHour", "HKCategoryValueAppleStandHourStood")).toMatchObject({ type: "stood" });
    expect(category("AppleStandHour", "HKCategoryValueAppleStandHourIdle")).toMatchObject({ type: "idle" });
    expect(category("AppleStandHour", "something new")).toBe("bad value");
  });
});

describe("mapCorrelation", () => {
  const pressure = (part: string, value: string) => record(`${QUANTITY}BloodPressure${part}`, { value, unit: "mmHg" });
  const correlation = (type: string, ...children: Element[]): Element => ({
    ...record(`HKCorrelationTypeIdentifier${type}`, {}),
    name: "Correlation",
    children,
  });

  test("combines the two values of a blood pressure into one reading", () => {
    const reading = correlation("BloodPressure", pressure("Diastolic", "81"), pressure("Systolic", "122"));
    const fields = { systolic: 122, diastolic: 81 };
    expect(stored(mapCorrelation(reading))).toMatchObject({ resource: "blood_pressure", value: null, fields });
  });

  test("rejects a reading without one of the two values and leaves food to its own records", () => {
    expect(stored(mapCorrelation(correlation("BloodPressure", pressure("Systolic", "122"))))).toBe("bad value");
    expect(stored(mapCorrelation(correlation("Food")))).toMatch(/^food correlation/);
  });
});

describe("detecting the source type", () => {
  const device = (name: string, hardware: string, software = "17.3") =>
    `<<HKDevice: 0x28238>, name:${name}, manufacturer:M, model:${name}, hardware:${hardware}, software:${software}>`;

  test.each([
    ["Mia’s Apple\u00a0Watch", "10.1", device("Apple\u00a0Watch", "Watch6,1", "10.1"), "watch"],
    ["Strava", "3.1", device("Apple Watch", "Watch6,1"), "watch"],
    ["Mia’s iPhone", "17.3", device("iPhone", "iPhone14,2"), "phone"],
    ["Mia", "17.3", device("iPhone", "iPhone14,2"), "phone"],
    ["Strava", "3.1", device("iPhone", "iPhone14,2"), "app"],
    ["Oura", "4", "", "ring"],
    ["Health Mate", "6", device("Body+", "1"), "scale"],
    ["Diary", "6", "", "app"],
  ])("maps %s (%s) with %s to %s", (sourceName, sourceVersion, deviceText, expected) => {
    expect(readSource(record("T", { sourceName, sourceVersion, device: deviceText })).type).toBe(expected);
  });
});

describe("reading the device and the app", () => {
  const source = (sourceName: string, sourceVersion: string, device: string) => {
    const { deviceId, appId } = readSource(record("T", { sourceName, sourceVersion, device }));
    return [deviceId, appId];
  };
  const watch = (address: string, software: string) =>
    `<<HKDevice: ${address}>, name:Apple\u00a0Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,1, software:${software}>`;
  const WATCH = "Apple Watch, Apple Inc., Watch, Watch6,1";

  test.each([
    ["Mia’s Apple\u00a0Watch", "10.1", watch("0x1", "10.1"), WATCH, "com.apple.health"],
    ["Mia’s new Apple Watch", "10.2", watch("0x2", "10.2"), WATCH, "com.apple.health"],
    ["Strava", "3.1", watch("0x1", "10.1"), WATCH, "Strava"],
    [
      "Mia",
      "17.3",
      "<<HKDevice: 0x1>, name:iPhone, hardware:iPhone14,2, software:17.3>",
      "iPhone, iPhone14,2",
      "com.apple.health",
    ],
    ["Diary", "6", "", null, "Diary"],
    ["", "6", "", null, null],
  ])("of %s %s: %s", (sourceName, sourceVersion, device, deviceId, appId) => {
    expect(source(sourceName, sourceVersion, device)).toEqual([deviceId, appId]);
  });

  test("replaces texts that the service refuses by a digest", () => {
    const [deviceId] = source("Diary", "6", `<<HKDevice: 0x1>, name:${"n".repeat(300)}>`);
    expect(deviceId).toMatch(/^[0-9a-f]{32}$/);
  });
});
