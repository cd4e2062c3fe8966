import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { getResource, type ResourceName } from "../../../lib/domain/timeseries/resources.ts";
import { ucumCodesBySpelling } from "../../../lib/domain/timeseries/unit-spellings.ts";
import { type ConverterLookup, resolveConversion, resolveConverter } from "../../../lib/domain/timeseries/units.ts";
import { loadUnitConverter } from "../../../lib/services/timeseries/unit-conversion.ts";

const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes("ucum-lhc"));

test("the UCUM library is loaded by the first record in a foreign unit", async () => {
  const own = [{ value: 70 }, { value: 70, unit: "kg" }, { value: 70, unit: "kilograms" }, null, "kg", { unit: null }];
  expect(await loadUnitConverter({ body_weight: own, heartrate: [{ unit: "count/min" }] })).toBeUndefined();
  expect(await loadUnitConverter({ weights: [{ value: 70, unit: "lb" }], activity: [{ unit: "lb" }] })).toBeUndefined();
  expect(isLoaded()).toBe(false);
  expect(await loadUnitConverter({ body_weight: [...own, { value: 154, unit: "lb" }] })).toBeTypeOf("function");
  expect(isLoaded()).toBe(true);
});

async function converting(): Promise<ConverterLookup> {
  const converterOf = await loadUnitConverter({ body_weight: [{ unit: "lb" }] });
  return converterOf ?? expect.unreachable();
}

async function convert(name: ResourceName, value: number, unit: string, type?: string): Promise<number | undefined> {
  return resolveConverter(getResource(name), unit, type, await converting())?.(value);
}

test.each<[ResourceName, number, string, number]>([
  ["glucose", 180.155_880_000_054_1, "milligrams_per_deciliter", 10],
  ["glucose", 5.5, "millimoles_per_liter", 5.5],
  ["blood_pressure", 120, "millimeters_of_mercury", 120],
  ["water", 8, "fluid_ounces_us", 236.588_236_5],
  ["vo2_max", 45, "milliliters_per_minute_kilogram", 45],
  ["heartrate", 60, "beats_per_minute", 60],
])("%s of %d in Health Connect's unit %s is %d", async (name, value, unit, right) => {
  expect(await convert(name, value, unit)).toBeCloseTo(right, 9);
});

test("HealthKit's percentage is a fraction, which converts from the unit 1", async () => {
  expect(await convert("blood_oxygen", 0.97, "1")).toBe(97);
  expect(await convert("blood_oxygen", 97, "%")).toBe(97);
});

/**
 * Expected values follow from the definitions of the units: pound, foot, inch, mile (NIST SP 811, B.8); US and imperial
 * fluid measures (NIST Handbook 44, C; UK SI 1995/1804); thermochemical calorie 4.184 J; mm[Hg] 133.322 Pa (UCUM, table 8);
 * molar masses C6H12O6 180.156, cholesterol 386.65 (mg/dL / 38.665), triglycerides 885.7 (mg/dL / 88.57).
 */
describe("values are converted by the definitions of units", () => {
  test.each<[ResourceName, number, string, number, string?]>([
    ["body_weight", 150, "lb", 68.038_855_5],
    ["body_weight", 150, "[lb_av]", 68.038_855_5],
    ["body_weight", 11, "st", 69.853_225_98],
    ["body_weight", 70_000, "g", 70],
    ["lean_body_mass", 1_600, "oz", 45.359_237],
    ["glucose", 100, "mg/dL", 5.550_749],
    ["glucose", 1, "g/L", 5.550_749],
    ["cholesterol", 200, "mg/dL", 5.172_637_8, "total"],
    ["cholesterol", 50, "mg/dl", 1.293_159_4, "hdl"],
    ["cholesterol", 150, "mg/dL", 1.693_575_7, "triglycerides"],
    ["calories_active", 418.4, "kJ", 100],
    ["calories_active", 4_184, "J", 1],
    ["calories_basal", 70_000, "cal", 70],
    ["body_temperature", 98.6, "F", 37],
    ["body_temperature", 100.4, "[degF]", 38],
    ["basal_body_temperature", 310.15, "K", 37],
    ["body_temperature_delta", 1.8, "degF", 1],
    ["body_temperature_delta", -0.9, "°F", -0.5],
    ["distance", 3, "miles", 4_828.032],
    ["distance", 5, "km", 5_000],
    ["distance", 100, "yd", 91.44],
    ["workout_distance", 1_000, "ft", 304.8],
    ["waist_circumference", 32, "in", 81.28],
    ["stand_duration", 90, "s", 1.5],
    ["mindfulness_minutes", 0.5, "hr", 30],
    ["workout_duration", 2, "h", 120],
    ["water", 8, "fl oz", 236.588_236_5],
    ["water", 1.5, "L", 1_500],
    ["water", 1, "fl_oz_imp", 28.413_062_5],
    ["water", 1, "cup", 236.588_236_5],
    ["water", 1, "cup_imp", 284.130_625],
    ["water", 1, "pt_us", 473.176_473],
    ["water", 1, "pt_imp", 568.261_25],
    ["caffeine", 95, "mg", 0.095],
    ["caffeine", 95_000, "mcg", 0.095],
    ["carbohydrates", 1, "oz", 28.349_523_125],
    ["blood_oxygen", 0.97, "1", 97],
    ["heartrate", 1.1, "Hz", 66],
    ["heartrate", 1.1, "count/s", 66],
    ["respiratory_rate", 900, "/h", 15],
    ["hrv", 0.042, "s", 42],
    ["peak_expiratory_flow_rate", 8, "L/s", 480],
    ["forced_vital_capacity", 4_200, "mL", 4.2],
    ["electrocardiogram_voltage", 250, "µV", 0.25],
    ["vo2_max", 10, "METs", 35],
    ["body_mass_index", 0.0321, "lb/in2", 22.568_535_7],
    ["blood_pressure", 16, "kPa", 120.010_2],
  ])("%s: %d %s is %d", async (name, value, unit, expected, type) => {
    const converted = await convert(name, value, unit, type);
    expect(Math.abs(converted! / expected - 1)).toBeLessThan(1e-6);
  });
});

test("a value that is round in both units stays round", async () => {
  expect(await convert("water", 0.5, "L")).toBe(500);
  expect(await convert("body_weight", 150, "lb")).toBe(68.038_855_5);
  expect(await convert("body_temperature", 100.4, "°F")).toBe(38);
  expect(await convert("blood_oxygen", 0.57, "1")).toBe(57);
});

test("every spelling maps to a code that converts to the unit of a resource", async () => {
  const converterOf = await converting();
  const names: ResourceName[] = ["body_weight", "distance", "calories_active", "stand_duration", "body_temperature"];
  names.push("water", "peak_expiratory_flow_rate", "vo2_max", "heartrate", "hrv", "glucose", "blood_pressure");
  names.push("electrocardiogram_voltage", "blood_oxygen", "body_mass_index");
  const without = [...ucumCodesBySpelling.keys()].filter((spelling) =>
    names.every((name) => resolveConverter(getResource(name), spelling, undefined, converterOf) === undefined),
  );
  expect(without).toEqual([]);
});

test.each<[ResourceName, string]>([
  ["body_weight", "mi"],
  ["distance", "min"],
  ["glucose", "kg"],
  ["glucose", "meq/L"],
  ["caffeine", "mmol"],
  ["body_temperature", "mmHg"],
  ["blood_pressure", "kg"],
  ["water", "g"],
  ["heartrate", "%"],
  ["body_weight", "furlong"],
  ["body_weight", "lb_av"],
  ["body_weight", "[iU]"],
  ["body_weight", "kg/"],
  ["body_weight", "{{{"],
  ["body_weight", "((kg"],
  ["body_weight", "{toString}toStr"],
])("%s can not be measured in %s", async (name, unit) => {
  expect(await convert(name, 1, unit)).toBeUndefined();
});

test("a code that crashes the library is not a unit", async () => {
  const converterOf = await converting();
  for (const from of ["toString", "constructor", "__proto__"]) expect(converterOf({ from, to: "kg" })).toBeUndefined();
});

test("converting to a unit and back restores the value", async () => {
  const converterOf = await converting();
  const pairs: [ResourceName, string][] = [
    ["body_weight", "lb"],
    ["body_weight", "st"],
    ["glucose", "mg/dL"],
    ["cholesterol", "mg/dL"],
    ["body_temperature", "degF"],
    ["body_temperature_delta", "degF"],
    ["distance", "mi"],
    ["waist_circumference", "in"],
    ["calories_active", "kJ"],
    ["water", "fl oz"],
    ["blood_oxygen", "1"],
    ["heartrate", "Hz"],
    ["blood_pressure", "kPa"],
    ["body_mass_index", "lb/in2"],
  ];
  const value = fc.double({ min: 0.1, max: 1_000_000, noNaN: true });
  fc.assert(
    fc.property(fc.constantFrom(...pairs), value, ([name, unit], given) => {
      const there = resolveConversion(getResource(name), unit) ?? expect.unreachable();
      const converted = converterOf(there)?.(given) ?? Number.NaN;
      const back = converterOf({ ...there, from: there.to, to: there.from })?.(converted) ?? Number.NaN;
      expect(Math.abs(back - given)).toBeLessThanOrEqual(1e-9 * given);
    }),
    { numRuns: 2_000 },
  );
});

test("no text makes the conversion fail or logs the sender's input", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const converterOf = await converting();
  const atom = fc.constantFrom(
    "kg",
    "[lb_av]",
    "m",
    "mol",
    "10*3",
    "{x}",
    "(",
    ")",
    "/",
    ".",
    "2",
    "-1",
    "^",
    "to",
    "{",
  );
  const text = fc.oneof(
    fc.array(atom, { maxLength: 8 }).map((atoms) => atoms.join("")),
    fc.string({ maxLength: 34 }),
    fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)),
    fc.constantFrom(...Object.getOwnPropertyNames(Object.prototype)).map((name) => `kg.k${name}`),
  );
  fc.assert(
    fc.property(text, (unit) => {
      const result = resolveConverter(getResource("body_weight"), unit, undefined, converterOf)?.(1);
      expect(["number", "undefined"]).toContain(typeof result);
    }),
    { numRuns: 3_000 },
  );
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});
