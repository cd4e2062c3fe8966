import type { Element } from "./element.ts";
import { spanOf } from "./export-date.ts";
import { sample } from "./map-record.ts";
import { BAD_DATE, BAD_VALUE, type Outcome } from "./outcome.ts";
import { parseNumber, toUnit } from "./unit-conversion.ts";

const PRESSURE = "HKQuantityTypeIdentifierBloodPressure";

/** Returns true if the export repeats the record inside an imported correlation. */
export const isInCorrelation = ({ attributes }: Element): boolean => attributes.type?.startsWith(PRESSURE) ?? false;

/**
 * Maps a `<Correlation>`. Blood pressure becomes one record of two values. The records of a food correlation also
 * appear as elements of their own, according to the DTD, and are imported there.
 */
export function mapCorrelation(correlation: Element): Outcome {
  const type = correlation.attributes.type ?? "";
  if (type === "HKCorrelationTypeIdentifierFood") return { leftOut: "food correlation (its records stand alone)" };
  if (type !== "HKCorrelationTypeIdentifierBloodPressure") return { leftOut: `unmapped type ${type}` };
  const span = spanOf(correlation);
  if (!span) return BAD_DATE;
  const systolic = pressure(correlation, "Systolic");
  const diastolic = pressure(correlation, "Diastolic");
  if (systolic === undefined || diastolic === undefined) return BAD_VALUE;
  return sample(correlation, span, "blood_pressure", { systolic, diastolic });
}

function pressure(correlation: Element, part: "Systolic" | "Diastolic"): number | undefined {
  const record = correlation.children.find(({ attributes }) => attributes.type === `${PRESSURE}${part}`);
  const value = parseNumber(record?.attributes.value);
  return value === undefined ? undefined : toUnit(value, record?.attributes.unit ?? "", "mmHg");
}
