import { parseNumber } from "../reading/parse-number.ts";

type Conversions = Readonly<Record<string, number | ((value: number) => number)>>;

/** Molar mass of glucose in HealthKit, g/mol (HKUnitMolarMassBloodGlucose). */
const GLUCOSE_G_PER_MOL = 180.1558800000541;

const mass = { kg: 1, g: 0.001, lb: 0.45359237, oz: 0.028349523125, st: 6.35029318 };
const length = { m: 1, km: 1000, cm: 0.01, mm: 0.001, mi: 1609.344, yd: 0.9144, ft: 0.3048, in: 0.0254 };
const volume = {
  L: 1,
  mL: 0.001,
  cL: 0.01,
  dL: 0.1,
  fl_oz_us: 0.0295735295625,
  fl_oz_imp: 0.0284130625,
  cup_us: 0.2365882365,
  cup_imp: 0.284130625,
  pt_us: 0.473176473,
  pt_imp: 0.56826125,
};
const time = { min: 1, s: 1 / 60, ms: 1 / 60_000, hr: 60, d: 1440 };

/** Multiplies all factors. */
const scaleFactors = (conversions: Readonly<Record<string, number>>, by: number): Conversions =>
  Object.fromEntries(Object.entries(conversions).map(([unit, factor]) => [unit, factor * by]));

/** For each unit of the service: the convertible HealthKit units (HKUnit strings) and their factors. */
const conversions: Readonly<Record<string, Conversions>> = {
  count: { count: 1 },
  index: { count: 1 },
  m: length,
  cm: scaleFactors(length, 100),
  kcal: { kcal: 1, Cal: 1, cal: 0.001, kJ: 1 / 4.184, J: 1 / 4184 },
  min: time,
  minutes: time,
  s: scaleFactors(time, 60),
  kg: mass,
  grams: { ...scaleFactors(mass, 1000), mg: 0.001, mcg: 0.000_001 },
  "°C": { degC: 1, degF: (value) => ((value - 32) * 5) / 9, K: (value) => value - 273.15 },
  L: volume,
  mL: scaleFactors(volume, 1000),
  "L/min": { "L/min": 1, "mL/min": 0.001, "L/s": 60 },
  "mL/kg/min": { "mL/min·kg": 1, "mL/kg·min": 1, "mL/(kg·min)": 1, "ml/(kg*min)": 1 },
  bpm: { "count/min": 1, "count/s": 60, Hz: 60 },
  rmssd: { ms: 1, s: 1000 },
  // Apple writes fractions, some apps percentages. A value above 1 can only be a percentage.
  "%": { "%": (value) => (value > 1 ? value : value * 100) },
  unit: { IU: 1 },
  "mmol/L": { "mmol/L": 1, "mg/dL": 10 / GLUCOSE_G_PER_MOL, "mg/L": 1 / GLUCOSE_G_PER_MOL },
  mmHg: { mmHg: 1, Pa: 1 / 133.322387415, kPa: 1000 / 133.322387415 },
  "m/s": { "m/s": 1, "km/hr": 1 / 3.6, "mi/hr": 0.44704 },
  W: { W: 1, kW: 1000 },
};

/**
 * Converts a value of an export to a unit of the service; undefined if the units are incompatible. HealthKit writes
 * percent as a fraction (0.97 is 97 %; a number above 1 is a percentage already) and moles with the molar mass
 * (`mmol<180.1558800000541>/L`). Rounds to 12 significant digits, so that 0.57 is 57 and not 56.99999999999999.
 */
export function convertUnit(value: number, from: string, to: string): number | undefined {
  const conversion = conversions[to]?.[from.replace(/<[\d.]+>/, "")];
  if (conversion === undefined) return undefined;
  if (conversion === 1) return value;
  return Number((typeof conversion === "number" ? value * conversion : conversion(value)).toPrecision(12));
}

/** Parses a quantity of a metadata entry (`1234 cm`) and converts it to a unit of the service. */
export function parseQuantity(text: string | undefined, to: string): number | undefined {
  const [number, unit = ""] = (text ?? "").split(" ");
  const value = parseNumber(number);
  return value === undefined ? undefined : convertUnit(value, unit, to);
}
