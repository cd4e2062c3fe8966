import type { TimeseriesResource } from "./resource.ts";
import { codesBySpelling, ownSpellings, spellingsByResource, ucumCodes } from "./unit-spellings.ts";

/** From which unit to which, as UCUM codes. */
export interface UnitConversion {
  readonly from: string;
  readonly to: string;
  /** Grams in a mole of what is measured; without it masses and moles are different kinds of thing. */
  readonly molarMass?: number;
}

/** Brings a value from one unit into another. */
export type Convert = (value: number) => number;

/** Finds how values are converted; undefined where `from` is no unit, or not one of the same kind as `to`. */
export type ConverterOf = (conversion: UnitConversion) => Convert | undefined;

/** For a difference of temperatures a degree is a length on the scale and no place, so that its zero is no matter. */
const DIFFERENCE = "K";
const differences: Readonly<Record<string, string>> = { Cel: DIFFERENCE, "[degF]": "K.5/9" };

/** UCUM codes of single resources, where the unit's own does not do. */
const codesByResource: Readonly<Record<string, string>> = {
  body_mass_index: "kg/m2",
  body_temperature_delta: DIFFERENCE,
};

/** Grams in a mole: glucose as HealthKit counts it, cholesterol and a typical triglyceride as laboratories do. */
const GLUCOSE = 180.1558800000541;
const CHOLESTEROL = 386.65;
const TRIGLYCERIDE = 885.7;

/** The longest text that is looked at as a unit, in characters. */
const LONGEST_UNIT = 32;
/**
 * The form of UCUM codes, with brackets one level deep. Names are short: a longer one is none of UCUM's, but may be that
 * of a property that every object has, which a library that looks codes up in an object would find.
 */
const NAME = String.raw`(?:[A-Za-z%]{1,6}(?:_[A-Za-z]+)?|[A-Za-z%]{0,3}\[[\w']+\]|10[*^]|\d+)`;
const TERM = String.raw`(?:${NAME}[-+]?\d*(?:\{[!-z|~]*\})?|\{[!-z|~]*\})`;
const PART = String.raw`(?:${TERM}|\(${TERM}(?:[./]${TERM})*\))`;
const CODE = new RegExp(`^/?${PART}(?:[./]${PART})*$`);

/** Whether values in `unit` (nothing for the default) are in the resource's own unit as they stand. */
export function isOwnUnit(resource: TimeseriesResource, unit: unknown): boolean {
  if ((unit ?? resource.unit) === resource.unit) return true;
  const spellings = [ownSpellings[resource.unit], spellingsByResource[resource.name]];
  return typeof unit === "string" && spellings.some((list) => list?.includes(unit));
}

/**
 * What brings values in `unit` into the resource's own unit; undefined where nothing could. The text is a spelling that
 * phones and providers use, else taken for a UCUM code. @param type of the sample, which may tell the substance.
 */
export function conversionTo(resource: TimeseriesResource, unit: string, type?: string): UnitConversion | undefined {
  const to = codesByResource[resource.name] ?? ucumCodes[resource.unit];
  if (to === undefined || unit.length > LONGEST_UNIT) return undefined;
  // HealthKit writes the molar mass into the unit: mmol<180.1558800000541>/L.
  const spelling = unit.replace(/<[\d.]+>/, "");
  const code = codesBySpelling.get(spelling) ?? spelling;
  if (!CODE.test(code)) return undefined;
  const from = to === DIFFERENCE ? (differences[code] ?? code) : code;
  const molarMass = molarMassOf(resource.name, type);
  return { from, to, ...(molarMass === undefined ? {} : { molarMass }) };
}

/** How numbers given in `unit` become numbers in the resource's own unit; undefined where they can not. */
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
