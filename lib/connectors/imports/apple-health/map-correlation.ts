import { BAD_DATE, BAD_VALUE, type MappingOutcome } from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import type { Element } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { toSampleRecord } from "./map-record.ts";
import { convertUnit } from "./unit-conversion.ts";

const PRESSURE = "HKQuantityTypeIdentifierBloodPressure";

/** Returns true if the export repeats the record inside an imported correlation. */
export const isInCorrelation = ({ attributes }: Element): boolean => attributes.type?.startsWith(PRESSURE) ?? false;

/**
 * Maps a `<Correlation>`. Blood pressure becomes one record of two values. The records of a food correlation also
 * appear as elements of their own, according to the DTD, and are imported there.
 */
export function mapCorrelation(correlation: Element): MappingOutcome {
  const type = correlation.attributes.type ?? "";
  if (type === "HKCorrelationTypeIdentifierFood") return { leftOut: "food correlation (its records stand alone)" };
  if (type !== "HKCorrelationTypeIdentifierBloodPressure") return { leftOut: `unmapped type ${type}` };
  const span = readInterval(correlation);
  if (!span) return BAD_DATE;
  const systolic = readPressure(correlation, "Systolic");
  const diastolic = readPressure(correlation, "Diastolic");
  if (systolic === undefined || diastolic === undefined) return BAD_VALUE;
  return toSampleRecord(correlation, span, "blood_pressure", { systolic, diastolic });
}

function readPressure(correlation: Element, part: "Systolic" | "Diastolic"): number | undefined {
  const record = correlation.children.find(({ attributes }) => attributes.type === `${PRESSURE}${part}`);
  const value = parseNumber(record?.attributes.value);
  return value === undefined ? undefined : convertUnit(value, record?.attributes.unit ?? "", "mmHg");
}
