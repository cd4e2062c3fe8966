import { getResource, type ResourceName } from "../../../domain/timeseries/resources.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord, UNKNOWN_UNIT } from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import { type CategoryRule, categoryTypes } from "./category-types.ts";
import { type Element, metadataValue } from "./element.ts";
import { type ElementInterval, readInterval } from "./export-date.ts";
import { type QuantityRule, quantityTypes } from "./quantity-types.ts";
import { readSource } from "./record-source.ts";
import { convertUnit } from "./unit-conversion.ts";

const QUANTITY = "HKQuantityTypeIdentifier";
const CATEGORY = "HKCategoryTypeIdentifier";

/** HKBodyTemperatureSensorLocation by number; 0 is any other location. */
const SENSOR_LOCATIONS = [
  null,
  "armpit",
  "body",
  "ear",
  "finger",
  "gastrointestinal",
  "mouth",
  "rectum",
  "toe",
  "eardrum",
  "temporal_artery",
  "forehead",
];

/** HKInsulinDeliveryReason by number. Apple does not name the insulin; this mapping assumes long-acting basal doses. */
const INSULIN_REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  1: { type: "long_acting", delivery_mode: "basal" },
  2: { type: "rapid_acting", delivery_mode: "bolus" },
};

/** Maps a `<Record>` of a quantity or category, except sleep. */
export function mapRecord(record: Element): MappingOutcome {
  const type = record.attributes.type ?? "";
  const quantity = type.startsWith(QUANTITY) ? quantityTypes.get(type.slice(QUANTITY.length)) : undefined;
  const category = type.startsWith(CATEGORY) ? categoryTypes.get(type.slice(CATEGORY.length)) : undefined;
  if (!quantity && !category) return { leftOut: `unmapped type ${type}` };
  const span = readInterval(record);
  if (!span) return BAD_DATE;
  if (quantity) return mapQuantity(record, span, quantity);
  return category ? mapCategory(record, span, category) : BAD_VALUE;
}

/** Builds a sample for the ingestion API. @param content its fields except the times. */
export function toSampleRecord(
  record: Element,
  span: ElementInterval,
  resource: ResourceName,
  content: OutgoingRecord["content"],
): MappingOutcome {
  const { start, end, offsetS } = span;
  const isInterval = getResource(resource).kind === "interval";
  const times = isInterval ? { start: start.iso, end: end.iso } : { timestamp: start.iso };
  const zone = offsetS === start.offsetS ? {} : { timezone_offset: offsetS };
  return {
    send: { resource, source: readSource(record), key: start.ms, content: { ...times, ...zone, ...content } },
  };
}

function mapQuantity(record: Element, span: ElementInterval, rule: QuantityRule): MappingOutcome {
  const given = parseNumber(record.attributes.value);
  if (given === undefined) return BAD_VALUE;
  const value = convertUnit(given, record.attributes.unit ?? "", rule.unit ?? getResource(rule.resource).unit);
  if (value === undefined) return UNKNOWN_UNIT;
  const type = rule.type === undefined ? {} : { type: rule.type };
  if (rule.resource === "body_temperature")
    return toSampleRecord(record, span, rule.resource, { value, ...sensorLocation(record) });
  if (rule.resource === "insulin_injection") {
    const reason = INSULIN_REASONS[metadataValue(record, "HKInsulinDeliveryReason") ?? ""];
    return reason
      ? toSampleRecord(record, span, rule.resource, { value, ...reason })
      : { leftOut: "insulin without reason" };
  }
  return toSampleRecord(record, span, rule.resource, { value, ...type });
}

function sensorLocation(record: Element): { sensor_location?: string } {
  if (record.attributes.type?.endsWith("WristTemperature")) return { sensor_location: "wrist" };
  const location = SENSOR_LOCATIONS[Number(metadataValue(record, "HKBodyTemperatureSensorLocation") ?? 0)];
  return location ? { sensor_location: location } : {};
}

function mapCategory(record: Element, span: ElementInterval, { resource, type, value }: CategoryRule): MappingOutcome {
  const named = typeof type === "object" ? type[record.attributes.value ?? ""] : type;
  if (type !== undefined && named === undefined) return BAD_VALUE;
  const minutes = (span.end.ms - span.start.ms) / 60_000;
  return toSampleRecord(record, span, resource, {
    value: value === 1 ? 1 : minutes,
    ...(named ? { type: named } : {}),
  });
}
