import type { TimeseriesResource } from "./resource.ts";
import { codesBySpelling, ownSpellings, spellingsByResource, ucumCodes } from "./unit-spellings.ts";

/** Source and target unit of a conversion, as UCUM codes. */
export interface UnitConversion {
  readonly from: string;
  readonly to: string;
  /** Molar mass of the substance, g/mol. Without it, masses and moles do not convert. */
  readonly molarMass?: number;
}

/** Converts a value from one unit to another. */
export type Convert = (value: number) => number;

/** Returns the converter of a conversion; undefined when `from` is not a unit, or not of the same kind as `to`. */
export type ConverterOf = (conversion: UnitConversion) => Convert | undefined;

/** In a temperature difference a degree is an interval, not a point on the scale, so the zero point does not matter. */
const DIFFERENCE = "K";
const differences: Readonly<Record<string, string>> = { Cel: DIFFERENCE, "[degF]": "K.5/9" };

/** UCUM codes of resources whose unit's own code does not apply. */
const codesByResource: Readonly<Record<string, string>> = {
  body_mass_index: "kg/m2",
  body_temperature_delta: DIFFERENCE,
};

/** Molar masses, g/mol: glucose as in HealthKit, cholesterol and a typical triglyceride as laboratories use. */
const GLUCOSE = 180.1558800000541;
const CHOLESTEROL = 386.65;
const TRIGLYCERIDE = 885.7;

/** Maximum length of a unit text, characters. */
const LONGEST_UNIT = 32;
/**
 * Grammar of UCUM codes, with brackets one level deep. Names are short: a longer name is not in UCUM, but may be a
 * property that every object inherits, which a library that looks codes up in an object would find.
 */
const NAME = String.raw`(?:[A-Za-z%]{1,6}(?:_[A-Za-z]+)?|[A-Za-z%]{0,3}\[[\w']+\]|10[*^]|\d+)`;
const TERM = String.raw`(?:${NAME}[-+]?\d*(?:\{[!-z|~]*\})?|\{[!-z|~]*\})`;
const PART = String.raw`(?:${TERM}|\(${TERM}(?:[./]${TERM})*\))`;
const CODE = new RegExp(`^/?${PART}(?:[./]${PART})*$`);

/** Whether `unit` (undefined for the default) is the resource's own unit. */
export function isOwnUnit(resource: TimeseriesResource, unit: unknown): boolean {
  if ((unit ?? resource.unit) === resource.unit) return true;
  const spellings = [ownSpellings[resource.unit], spellingsByResource[resource.name]];
  return typeof unit === "string" && spellings.some((list) => list?.includes(unit));
}

/**
 * The conversion from `unit` to the resource's own unit; undefined when none exists. The text is a spelling that phones
 * and providers use, or else a UCUM code.
 * @param type type of the sample, which may name the substance.
 */
export function conversionTo(resource: TimeseriesResource, unit: string, type?: string): UnitConversion | undefined {
  const to = codesByResource[resource.name] ?? ucumCodes[resource.unit];
  if (to === undefined || unit.length > LONGEST_UNIT) return undefined;
  // HealthKit includes the molar mass in the unit: mmol<180.1558800000541>/L.
  const spelling = unit.replace(/<[\d.]+>/, "");
  const code = codesBySpelling.get(spelling) ?? spelling;
  if (!CODE.test(code)) return undefined;
  const from = to === DIFFERENCE ? (differences[code] ?? code) : code;
  const molarMass = molarMassOf(resource.name, type);
  return { from, to, ...(molarMass === undefined ? {} : { molarMass }) };
}

/** The converter from `unit` to the resource's own unit; undefined when none exists. */
export function converterTo(
  resource: TimeseriesResource,
  unit: unknown,
  type: string | undefined,
  converterOf: ConverterOf | undefined,
): Convert | undefined {
  if (isOwnUnit(resource, unit)) return unchanged;
  const conversion = typeof unit === "string" ? conversionTo(resource, unit, type) : undefined;
  if (conversion?.from === conversion?.to) return conversion && unchanged;
  return conversion && converterOf?.(conversion);
}

const unchanged: Convert = (value) => value;

function molarMassOf(name: string, type: string | undefined): number | undefined {
  if (name === "glucose") return GLUCOSE;
  if (name === "cholesterol") return type === "triglycerides" ? TRIGLYCERIDE : CHOLESTEROL;
  return undefined;
}
