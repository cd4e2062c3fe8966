import { type AcceptanceContext, checkTimeSpan, spanField } from "../ingest/ingestion-bounds.ts";
import { type AcceptanceResult, type DroppedField, droppedPart, type Refusal } from "../ingest/refusal.ts";
import type { RejectionReason } from "../ingest/rejection-reasons.ts";
import { parseInstant } from "../shared/instant.ts";
import { isJsonObject } from "../shared/json.ts";
import type { FieldValue, Sample } from "./chunk/sample.ts";
import type { Bounds, FieldRule, TimeseriesResource } from "./resource.ts";
import { resolveConverter, type UnitConverter } from "./units.ts";

/** Maximum length of a sample's `type`, characters. */
export const MAX_TYPE_LENGTH = 64;
/** Maximum magnitude of `timezone_offset`, seconds. */
export const MAX_OFFSET_S = 86_399;

type RawRecord = Readonly<Record<string, unknown>>;

/**
 * Validates one ingested record of `resource` (see record-schema.ts for its shape) and converts it to a sample. Checks
 * run in the order of {@link rejectionReasons}; the first failure is the reason. An invalid optional field is dropped
 * and reported instead. Unknown keys are ignored.
 * Written by hand instead of derived from the schema: every sample passes here, one pass gives the sample or the
 * refusal, and a rejected record costs no more than a valid one.
 */
export function acceptRecord(
  resource: TimeseriesResource,
  raw: unknown,
  context: AcceptanceContext,
): AcceptanceResult<Sample> {
  if (!isJsonObject(raw)) return NO_OBJECT;
  const sample: Sample = { start: 0, value: null, offsetS: null, type: null };
  const dropped: DroppedField[] = [];
  const refusal =
    readTimes(resource, raw, sample) ??
    checkTimes(raw, sample, context) ??
    readType(resource, raw, sample, dropped) ??
    readMeasures(resource, raw, sample, context, dropped);
  return refusal ?? { ok: sample, ...droppedPart(dropped) };
}

const NO_OBJECT: Refusal = { field: null, reason: "bad_time" };
const refuse = (field: string, reason: RejectionReason): Refusal => ({ field, reason });

/**
 * Validates the deletion of one sample: its `timestamp` or `start`, and its `type` where the type is part of the
 * identity. Reasons are those of {@link acceptRecord}.
 */
export function acceptDeletion(
  resource: TimeseriesResource,
  raw: unknown,
  context: AcceptanceContext,
): { ok: Sample } | Refusal {
  if (!isJsonObject(raw)) return NO_OBJECT;
  const start = parseInstant(raw.start ?? raw.timestamp);
  if (start === undefined) return refuse(startField(raw), "bad_time");
  const sample: Sample = { start: start.ms, value: null, offsetS: start.offsetS, type: null, isDeleted: true };
  const refusal =
    checkTimes(raw, sample, context) ?? (resource.type.identity ? readType(resource, raw, sample, []) : undefined);
  return refusal ?? { ok: sample };
}

/** The field with the start of a record; without a start, the one that the record lacks. */
function startField(record: RawRecord): string {
  if ((record.start ?? null) !== null) return "start";
  return (record.timestamp ?? null) === null && ("start" in record || "end" in record) ? "start" : "timestamp";
}

function checkTimes(record: RawRecord, sample: Sample, context: AcceptanceContext): Refusal | undefined {
  const reason = checkTimeSpan(sample.start, sample.end ?? sample.start, context, sample.offsetS);
  return reason && refuse(spanField(reason, sample.start, context, [startField(record), "end"]), reason);
}

function readTimes(resource: TimeseriesResource, record: RawRecord, sample: Sample): Refusal | undefined {
  const start = parseInstant(record.start ?? record.timestamp);
  if (start === undefined) return refuse(startField(record), "bad_time");
  sample.start = start.ms;
  const isSpan = (record.start ?? null) !== null;
  // A record may have both names, as the wire does, if they agree.
  if (isSpan && (record.timestamp ?? null) !== null && parseInstant(record.timestamp)?.ms !== start.ms)
    return refuse("timestamp", "bad_time");
  const offset = readOffset(record.timezone_offset, start.offsetS);
  if (offset === undefined) return refuse("timezone_offset", "bad_time");
  sample.offsetS = offset;
  const isInterval = resource.kind === "interval";
  if ((record.end ?? null) === null) {
    if (isSpan && isInterval) return refuse("end", "bad_time");
    if (isInterval) sample.end = start.ms;
    return undefined;
  }
  const end = parseInstant(record.end);
  if (end === undefined) return refuse("end", "bad_time");
  if (end.ms < start.ms) return refuse("end", "end_before_start");
  if (isInterval) sample.end = end.ms;
  return undefined;
}

/** The record's own offset, or else the written offset of its start; undefined for an invalid one. */
function readOffset(given: unknown, written: number | null): number | null | undefined {
  if (given === undefined) return written;
  // The wire writes UTC with an unknown offset as null beside +00:00.
  if (given === null) return written === 0 ? null : written;
  if (typeof given !== "number" || !Number.isInteger(given) || Math.abs(given) > MAX_OFFSET_S) return undefined;
  return given;
}

function readType(
  { type: rule }: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  dropped: DroppedField[],
): Refusal | undefined {
  const given = record.type ?? null;
  if (given === null) return rule.required ? refuse("type", "bad_type") : undefined;
  if (!isAllowedType(rule, given)) {
    if (rule.required) return refuse("type", "bad_type");
    dropped.push({ field: "type", reason: "bad_type" });
  } else if (rule.identity) sample.subtype = given;
  else sample.type = given;
  return undefined;
}

function isAllowedType({ values }: TimeseriesResource["type"], given: unknown): given is string {
  if (typeof given !== "string" || given.length === 0 || given.length > MAX_TYPE_LENGTH) return false;
  return values === undefined || values.includes(given);
}

/** Reads value and fields, both in the record's unit. */
function readMeasures(
  resource: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  { converterOf }: AcceptanceContext,
  dropped: DroppedField[],
): Refusal | undefined {
  const hasNone = resource.value === "none";
  const given = hasNone ? null : (record.value ?? null);
  if (hasNone && (record.value ?? null) !== null) dropped.push({ field: "value", reason: "bad_value" });
  if (!isAllowedValue(resource, given)) return refuse("value", "bad_value");
  const convert = resolveConverter(resource, record.unit, sample.subtype, converterOf);
  if (convert === undefined) return refuse("unit", "unknown_unit");
  sample.value = typeof given === "number" ? convert(given) : given;
  const size = typeof sample.value === "string" ? sample.value.length : sample.value;
  if (size !== null && !isWithin(size, resource.bounds)) return refuse("value", "value_out_of_range");
  return readFields(resource, record, sample, convert, dropped);
}

function readFields(
  resource: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  convert: UnitConverter,
  dropped: DroppedField[],
): Refusal | undefined {
  if (resource.fields.length === 0) return undefined;
  const fields: Record<string, FieldValue> = {};
  for (const rule of resource.fields) {
    const given = record[rule.name] ?? null;
    if (given === null && rule.kind !== "number") continue;
    if (!isAllowedField(rule, given)) {
      if (rule.kind === "number") return refuse(rule.name, "bad_field");
      dropped.push({ field: rule.name, reason: "bad_field" });
      continue;
    }
    const value = typeof given === "number" ? convert(given) : given;
    if (rule.kind === "number" && !isWithin(Number(value), rule.bounds)) return refuse(rule.name, "value_out_of_range");
    fields[rule.name] = value;
  }
  if (Object.keys(fields).length > 0) sample.fields = fields;
  return undefined;
}

function isAllowedValue(resource: TimeseriesResource, given: unknown): given is number | string | null {
  if (resource.value === "none") return given === null;
  if (resource.value === "string") return typeof given === "string";
  return resource.value === "integer" ? Number.isInteger(given) : Number.isFinite(given);
}

function isAllowedField(rule: FieldRule, given: unknown): given is FieldValue {
  if (rule.kind === "number") return Number.isFinite(given);
  if (rule.kind === "choice") return typeof given === "string" && rule.values.includes(given);
  const isChoice = (item: unknown): boolean => typeof item === "string" && rule.values.includes(item);
  return Array.isArray(given) && given.length <= rule.values.length && given.every(isChoice);
}

function isWithin(value: number, [min, max]: Bounds): boolean {
  return value >= min && value <= max;
}
