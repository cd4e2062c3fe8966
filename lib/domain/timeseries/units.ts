import type { TimeseriesResource } from "./resource.ts";

/** Other spellings of a unit that mean exactly the same; those of HealthKit and UCUM among them. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  count: ["1", "counts", "{count}"],
  m: ["meter", "meters", "metre", "metres"],
  kcal: ["Cal", "kilocalorie", "kilocalories"],
  min: ["minute", "minutes"],
  minutes: ["min", "minute"],
  "%": ["percent"],
  kg: ["kilogram", "kilograms"],
  cm: ["centimeter", "centimeters", "centimetre", "centimetres"],
  "°C": ["degC", "Cel", "C", "celsius"],
  L: ["l", "liter", "liters", "litre", "litres"],
  "L/min": ["l/min"],
  unit: ["units", "IU", "[iU]"],
  grams: ["g", "gram"],
  mL: ["ml", "milliliter", "milliliters", "millilitre", "millilitres"],
  "mL/kg/min": ["ml/kg/min", "mL/min·kg", "mL/(kg.min)"],
  bpm: ["count/min", "/min", "1/min", "beats/min", "breaths/min", "{beats}/min", "{breaths}/min"],
  rmssd: ["ms"],
  "mmol/L": ["mmol/l"],
  mmHg: ["mm[Hg]"],
};

/** The units in which a sender may give values of a resource; the first is the stored one. */
export function acceptedUnits(resource: TimeseriesResource): readonly string[] {
  return [resource.unit, ...(spellings[resource.unit] ?? [])];
}

/** A value given in `unit` in the resource's own unit, or undefined when the unit is not one of the resource's. */
export function convertValue<Value extends number | string | null>(
  resource: TimeseriesResource,
  value: Value,
  unit: string,
): Value | undefined {
  return unit === resource.unit || spellings[resource.unit]?.includes(unit) ? value : undefined;
}
