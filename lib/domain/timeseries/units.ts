import type { TimeseriesResource } from "./resource.ts";
import { spellingsByResource, ucumCodes, ucumCodesBySpelling, unitSpellings } from "./unit-spellings.ts";

/** Source and target unit of a conversion, as UCUM codes. */
export interface UnitConversion {
  readonly from: string;
  readonly to: string;
  /** Molar mass of the substance, g/mol. Without it, masses and moles do not convert. */
  readonly molarMass?: number;
}

/** Converts a value from one unit to another. */
export type UnitConverter = (value: number) => number;

/** Returns the converter of a conversion; undefined when `from` is not a unit, or not of the same kind as `to`. */
export type ConverterLookup = (conversion: UnitConversion) => UnitConverter | undefined;

/** In a temperature difference a degree is an interval, not a point on the scale, so the zero point does not matter. */
const TEMPERATURE_DIFFERENCE = "K";
const temperatureDifferences: Readonly<Record<string, string>> = { Cel: TEMPERATURE_DIFFERENCE, "[degF]": "K.5/9" };

/** UCUM codes of resources whose unit's own code does not apply. */
const codesByResource: Readonly<Record<string, string>> = {
  body_mass_index: "kg/m2",
  body_temperature_delta: TEMPERATURE_DIFFERENCE,
};

/** Molar masses, g/mol: glucose as in HealthKit, cholesterol and a typical triglyceride as laboratories use. */
const GLUCOSE_MOLAR_MASS = 180.1558800000541;
const CHOLESTEROL_MOLAR_MASS = 386.65;
const TRIGLYCERIDE_MOLAR_MASS = 885.7;

/** Maximum length of a unit text, characters. */
const MAX_UNIT_LENGTH = 32;
/**
 * Grammar of UCUM codes, with brackets one level deep. Names are short: a longer name is not in UCUM, but may be a
 * property that every object inherits, which a library that looks codes up in an object would find.
 */
const NAME = String.raw`(?:[A-Za-z%]{1,6}(?:_[A-Za-z]+)?|[A-Za-z%]{0,3}\[[\w']+\]|10[*^]|\d+)`;
const TERM = String.raw`(?:${NAME}[-+]?\d*(?:\{[!-z|~]*\})?|\{[!-z|~]*\})`;
const PART = String.raw`(?:${TERM}|\(${TERM}(?:[./]${TERM})*\))`;
const CODE = new RegExp(`^/?${PART}(?:[./]${PART})*$`);

/** Whether `unit` (undefined for the default) is the resource's own unit. */
export function isResourceUnit(resource: TimeseriesResource, unit: unknown): boolean {
  if ((unit ?? resource.unit) === resource.unit) return true;
  const spellings = [unitSpellings[resource.unit], spellingsByResource[resource.name]];
  return typeof unit === "string" && spellings.some((list) => list?.includes(unit));
}

/** The resource's own unit in all its spellings, the unit itself first. */
export const listSpellings = ({ unit, name }: TimeseriesResource): [string, ...string[]] => [
  unit,
  ...(unitSpellings[unit] ?? []),
  ...(spellingsByResource[name] ?? []),
];

/** UCUM code of the resource's own unit; undefined if no other unit converts to it. */
const ucumCodeOf = ({ name, unit }: TimeseriesResource): string | undefined => codesByResource[name] ?? ucumCodes[unit];

/** Whether values in other units of the same kind convert to the resource's own unit. */
export const isConvertible = (resource: TimeseriesResource): boolean => ucumCodeOf(resource) !== undefined;

/**
 * The conversion from `unit` to the resource's own unit; undefined when none exists. The text is a spelling that phones
 * and providers use, or else a UCUM code.
 * @param type type of the sample, which may name the substance.
 */
export function resolveConversion(
  resource: TimeseriesResource,
  unit: string,
  type?: string,
): UnitConversion | undefined {
  const to = ucumCodeOf(resource);
  if (to === undefined || unit.length > MAX_UNIT_LENGTH) return undefined;
  // HealthKit includes the molar mass in the unit: mmol<180.1558800000541>/L.
  const spelling = unit.replace(/<[\d.]+>/, "");
  const code = ucumCodesBySpelling.get(spelling) ?? spelling;
  if (!CODE.test(code)) return undefined;
  const from = to === TEMPERATURE_DIFFERENCE ? (temperatureDifferences[code] ?? code) : code;
  const molarMass = findMolarMass(resource.name, type);
  return { from, to, ...(molarMass === undefined ? {} : { molarMass }) };
}

/** The converter from `unit` to the resource's own unit; undefined when none exists. */
export function resolveConverter(
  resource: TimeseriesResource,
  unit: unknown,
  type: string | undefined,
  converterOf: ConverterLookup | undefined,
): UnitConverter | undefined {
  if (isResourceUnit(resource, unit)) return unchanged;
  const conversion = typeof unit === "string" ? resolveConversion(resource, unit, type) : undefined;
  if (conversion?.from === conversion?.to) return conversion && unchanged;
  return conversion && converterOf?.(conversion);
}

const unchanged: UnitConverter = (value) => value;

function findMolarMass(name: string, type: string | undefined): number | undefined {
  if (name === "glucose") return GLUCOSE_MOLAR_MASS;
  if (name === "cholesterol") return type === "triglycerides" ? TRIGLYCERIDE_MOLAR_MASS : CHOLESTEROL_MOLAR_MASS;
  return undefined;
}
