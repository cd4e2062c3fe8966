import { describe, expect, test } from "vitest";
import {
  findResource,
  getResource,
  type ResourceName,
  timeseriesResources,
} from "../../../lib/domain/timeseries/resources.ts";
import {
  spellingsByResource,
  ucumCodes,
  ucumCodesBySpelling,
  unitSpellings,
} from "../../../lib/domain/timeseries/unit-spellings.ts";
import { isResourceUnit, resolveConversion, resolveConverter } from "../../../lib/domain/timeseries/units.ts";

const conversion = (name: ResourceName, unit: string, type?: string) =>
  resolveConversion(getResource(name), unit, type);

describe("a unit", () => {
  test.each([
    ["body_weight", undefined],
    ["body_weight", null],
    ["body_weight", "kg"],
    ["body_weight", "kilograms"],
    ["heartrate", "count/min"],
    ["mindfulness_minutes", "min"],
    ["body_mass_index", "kg/m²"],
    ["body_mass_index", "count"],
    ["heart_rate_recovery_one_minute", "bpm"],
    ["insulin_injection", "U"],
  ] as const)("of %s accepts the spelling %s", (name, unit) => {
    expect(isResourceUnit(getResource(name), unit)).toBe(true);
    const noConversion = () => expect.unreachable();
    expect(resolveConverter(getResource(name), unit, undefined, noConversion)?.(7.1)).toBe(7.1);
  });

  test.each([
    ["body_weight", "lb"],
    ["body_weight", ""],
    ["body_weight", 1],
    ["body_weight", ["kg"]],
    ["steps", "bpm"],
    ["uv_exposure", "kg/m2"],
  ] as const)("of %s does not accept %j", (name, unit) => {
    expect(isResourceUnit(getResource(name), unit)).toBe(false);
    expect(resolveConverter(getResource(name), unit, undefined, () => undefined)).toBeUndefined();
  });

  test("is converted by its UCUM code, also from a common spelling", () => {
    expect(conversion("body_weight", "lbs")).toEqual({ from: "[lb_av]", to: "kg" });
    expect(conversion("body_weight", "[lb_av]")).toEqual({ from: "[lb_av]", to: "kg" });
    expect(conversion("water", "fl oz")).toEqual({ from: "[foz_us]", to: "mL" });
    expect(conversion("caffeine", "kilograms")).toEqual({ from: "kg", to: "g" });
  });

  test("is converted with the molar mass of the analyte", () => {
    expect(conversion("glucose", "mg/dl")).toEqual({ from: "mg/dL", to: "mmol/L", molarMass: 180.1558800000541 });
    expect(conversion("cholesterol", "mg/dL", "hdl")?.molarMass).toBe(386.65);
    expect(conversion("cholesterol", "mg/dL", "triglycerides")?.molarMass).toBe(885.7);
  });

  test("of a temperature difference is converted without the scale offset", () => {
    expect(conversion("body_temperature", "degF")).toEqual({ from: "[degF]", to: "Cel" });
    expect(conversion("body_temperature_delta", "degF")).toEqual({ from: "K.5/9", to: "K" });
    expect(resolveConverter(getResource("body_temperature_delta"), "K", undefined, undefined)?.(0.4)).toBe(0.4);
  });

  test("may contain the molar mass in HealthKit's notation", () => {
    const unit = "mmol<180.1558800000541>/L";
    expect(resolveConverter(getResource("glucose"), unit, undefined, undefined)?.(5.5)).toBe(5.5);
  });

  test.each(["steps", "uv_exposure", "note", "ige", "hypnogram", "insulin_injection"] as const)(
    "of %s can not be converted",
    (name) => {
      expect(conversion(name, "%")).toBeUndefined();
    },
  );

  test.each(["kg\n", "", "k g", "кг", "x".repeat(33), "toString", "kg.valueOf", "constructor/min", "__proto__"])(
    "is not %j",
    (unit) => {
      expect(conversion("body_weight", unit)).toBeUndefined();
    },
  );

  test("may have a long annotation", () => {
    expect(conversion("heartrate", "{heartbeats}/h")).toEqual({ from: "{heartbeats}/h", to: "/min" });
  });
});

describe("the spellings", () => {
  test("belong to existing units and resources, and each has one meaning", () => {
    const units = new Set<string>(timeseriesResources.map(({ unit }) => unit));
    expect([...Object.keys(unitSpellings), ...Object.keys(ucumCodes)].filter((unit) => !units.has(unit))).toEqual([]);
    expect(Object.keys(spellingsByResource).filter((name) => findResource(name) === undefined)).toEqual([]);
    const foreign = [...ucumCodesBySpelling].filter(([spelling, code]) => {
      const own = Object.entries(ucumCodes).find(([unit]) => [unit, ...(unitSpellings[unit] ?? [])].includes(spelling));
      return own !== undefined && own[1] !== code;
    });
    expect(foreign).toEqual([]);
  });
});
