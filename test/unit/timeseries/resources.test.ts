import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";

const CLIENT_SOURCE = "node_modules/@junction-api/sdk/dist/cjs/api/resources/vitals/client/Client.js";

function clientPaths(): string[] {
  const source = readFileSync(CLIENT_SOURCE, "utf8");
  return [...source.matchAll(/"GET", "\/v2\/timeseries\/\{user_id\}\/([^"]+)"/g)].map((match) => match[1]!).sort();
}

function tablePaths(): string[] {
  return timeseriesResources
    .flatMap(({ name, plain, type }) => {
      const kinds = type.identity ? (type.values ?? []) : [];
      return [`${name}/grouped`, ...(plain ? [name] : []), ...kinds.map((kind) => `${name}/${kind}`)];
    })
    .sort();
}

describe("the table of timeseries resources", () => {
  test("defines exactly the paths that the public client calls", () => {
    expect(clientPaths()).toHaveLength(78);
    expect(tablePaths()).toEqual(clientPaths());
  });

  test("finds a resource only by its path name", () => {
    expect(findResource("body_weight")?.eventName).toBe("weight");
    expect(findResource("weight")).toBeUndefined();
    expect(findResource("constructor")).toBeUndefined();
  });

  test("gives two resources other names in event types", () => {
    const renamed = timeseriesResources.filter(({ name, eventName }) => name !== eventName);
    expect(renamed.map(({ name, eventName }) => [name, eventName])).toEqual([
      ["body_weight", "weight"],
      ["body_fat", "fat"],
    ]);
  });

  test("has ordered bounds and only blood pressure without a value", () => {
    for (const { name, bounds, value } of timeseriesResources) {
      expect(bounds[1], name).toBeGreaterThanOrEqual(bounds[0]);
      expect(value === "none").toBe(name === "blood_pressure");
    }
  });

  test("includes the type in the identity when one instant may have several values", () => {
    const identified = timeseriesResources.filter(({ type }) => type.identity);
    expect(identified.map(({ name }) => name)).toEqual(["cholesterol", "ige", "igg", "electrocardiogram_voltage"]);
  });

  test("keeps the bucket widths of stored chunks", () => {
    const byMinutes = Map.groupBy(timeseriesResources, ({ bucketMs }) => bucketMs / 60_000);
    const names = [...byMinutes].map(([minutes, rows]) => [minutes, rows.map(({ name }) => name)]);
    expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
      {
        "1": [
          "electrocardiogram_voltage",
        ],
        "1440": [
          "steps",
          "wheelchair_push",
          "workout_swimming_stroke",
          "floors_climbed",
          "hrv",
          "respiratory_rate",
          "glucose",
        ],
        "20160": [
          "hypnogram",
        ],
        "23040": [
          "handwashing",
          "workout_duration",
          "stand_hour",
          "carbohydrates",
          "caffeine",
          "water",
        ],
        "2880": [
          "stress_level",
        ],
        "30": [
          "note",
          "heartrate",
        ],
        "46080": [
          "fall",
          "inhaler_usage",
          "sleep_apnea_alert",
          "heart_rate_recovery_one_minute",
          "mindfulness_minutes",
          "heart_rate_alert",
          "sleep_breathing_disturbance",
          "afib_burden",
          "body_mass_index",
          "lean_body_mass",
          "waist_circumference",
          "basal_body_temperature",
          "forced_expiratory_volume_1",
          "forced_vital_capacity",
          "peak_expiratory_flow_rate",
          "vo2_max",
          "body_weight",
          "body_fat",
          "cholesterol",
          "ige",
          "igg",
          "blood_pressure",
        ],
        "5760": [
          "stand_duration",
          "daylight_exposure",
          "uv_exposure",
          "body_temperature",
          "body_temperature_delta",
          "insulin_injection",
          "blood_oxygen",
        ],
        "720": [
          "distance",
          "workout_distance",
          "calories_active",
          "calories_basal",
        ],
      }
    `);
  });
});
