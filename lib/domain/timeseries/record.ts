import type { FieldValue, Sample } from "../chunk/sample.ts";
import { type DroppedField, droppedPart, type Judged } from "../dropped-field.ts";
import { type AcceptanceContext, checkWindow, type RejectionReason } from "./acceptance.ts";
import { parseInstant } from "./instant.ts";
import type { Bounds, FieldRule, TimeseriesResource } from "./resource.ts";
import { type Convert, converterTo } from "./units.ts";

/** Longest `type` of a sample in characters. */
export const MAX_TYPE_LENGTH = 64;
/** Largest `timezone_offset` in seconds, either way. */
export const MAX_OFFSET_S = 86_399;

type RawRecord = Readonly<Record<string, unknown>>;

/**
 * Checks one record that a sender gave for `resource` (see record-schema.ts for its shape) and turns it into a sample.
 * Checks run in the order of {@link rejectionReasons} and the first that fails is the reason; a bad field that a sample
 * can be without is dropped and named instead. Unknown keys are ignored.
 * Written by hand and not from the schema: one pass gives the sample or the reason, a refused record costs no more than
 * a good one, and every single sample passes here.
 */
export function acceptRecord(resource: TimeseriesResource, raw: unknown, context: AcceptanceContext): Judged<Sample> {
  const record: RawRecord = isRecord(raw) ? raw : {};
  const sample: Sample = { start: 0, value: null, offsetS: null, type: null };
  const dropped: DroppedField[] = [];
  const reason =
    readTimes(resource, record, sample) ??
    checkWindow(sample.start, sample.end ?? sample.start, context, sample.offsetS) ??
    readType(resource, record, sample, dropped) ??
    readMeasures(resource, record, sample, context, dropped);
  return reason === undefined ? { ok: sample, ...droppedPart(dropped) } : { reason };
}

/**
 * Checks what a sender says of one sample that it takes back: its `timestamp` or `start`, and its `type` where that tells
 * samples of one instant apart. Reasons as those of {@link acceptRecord}.
 */
export function acceptDeletion(
  resource: TimeseriesResource,
  raw: unknown,
  context: AcceptanceContext,
): { ok: Sample } | { reason: RejectionReason } {
  const record: RawRecord = isRecord(raw) ? raw : {};
  const start = parseInstant(record.start ?? record.timestamp);
  if (start === undefined) return { reason: "bad_time" };
  const sample: Sample = { start: start.ms, value: null, offsetS: start.offsetS, type: null, isDeleted: true };
  const reason =
    checkWindow(sample.start, sample.start, context, sample.offsetS) ??
    (resource.type.identity ? readType(resource, record, sample, []) : undefined);
  return reason === undefined ? { ok: sample } : { reason };
}

function readTimes(resource: TimeseriesResource, record: RawRecord, sample: Sample): RejectionReason | undefined {
  const start = parseInstant(record.start ?? record.timestamp);
  if (start === undefined) return "bad_time";
  sample.start = start.ms;
  const isSpan = (record.start ?? null) !== null;
  // Both names may be given, as the wire does, if they say the same.
  if (isSpan && (record.timestamp ?? null) !== null && parseInstant(record.timestamp)?.ms !== start.ms)
    return "bad_time";
  const offset = readOffset(record.timezone_offset, start.offsetS);
  if (offset === undefined) return "bad_time";
  sample.offsetS = offset;
  const isInterval = resource.kind === "interval";
  if ((record.end ?? null) === null) {
    if (isSpan && isInterval) return "bad_time";
    if (isInterval) sample.end = start.ms;
    return undefined;
  }
  const end = parseInstant(record.end);
  if (end === undefined) return "bad_time";
  if (end.ms < start.ms) return "end_before_start";
  if (isInterval) sample.end = end.ms;
  return undefined;
}

/** The record's own offset, else the one its start is written with; undefined when it is not an offset. */
function readOffset(given: unknown, written: number | null): number | null | undefined {
  if (given === undefined) return written;
  // An explicit null beside +00:00 is how the wire writes UTC with an unknown offset.
  if (given === null) return written === 0 ? null : written;
  if (typeof given !== "number" || !Number.isInteger(given) || Math.abs(given) > MAX_OFFSET_S) return undefined;
  return given;
}

function readType(
  { type: rule }: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  dropped: DroppedField[],
): RejectionReason | undefined {
  const given = record.type ?? null;
  if (given === null) return rule.required ? "bad_type" : undefined;
  if (!isTypeOf(rule, given)) {
    if (rule.required) return "bad_type";
    const detail = `${rule.values?.join(", ") ?? `A text of 1 to ${MAX_TYPE_LENGTH} characters`} is expected`;
    dropped.push({ field: "type", reason: "bad_type", detail });
  } else if (rule.identity) sample.subtype = given;
  else sample.type = given;
  return undefined;
}

function isTypeOf({ values }: TimeseriesResource["type"], given: unknown): given is string {
  if (typeof given !== "string" || given.length === 0 || given.length > MAX_TYPE_LENGTH) return false;
  return values === undefined || values.includes(given);
}

/** The value and the fields; both are given in the record's unit. */
function readMeasures(
  resource: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  { converterOf }: AcceptanceContext,
  dropped: DroppedField[],
): RejectionReason | undefined {
  const hasNone = resource.value === "none";
  const given = hasNone ? null : (record.value ?? null);
  if (hasNone && (record.value ?? null) !== null)
    dropped.push({ field: "value", reason: "bad_value", detail: "Samples of this resource have fields for a value" });
  if (!isValueOf(resource, given)) return "bad_value";
  const convert = converterTo(resource, record.unit, sample.subtype, converterOf);
  if (convert === undefined) return "unknown_unit";
  sample.value = typeof given === "number" ? convert(given) : given;
  const size = typeof sample.value === "string" ? sample.value.length : sample.value;
  if (size !== null && !isWithin(size, resource.bounds)) return "value_out_of_range";
  return readFields(resource, record, sample, convert, dropped);
}

function readFields(
  resource: TimeseriesResource,
  record: RawRecord,
  sample: Sample,
  convert: Convert,
  dropped: DroppedField[],
): RejectionReason | undefined {
  if (resource.fields.length === 0) return undefined;
  const fields: Record<string, FieldValue> = {};
  for (const rule of resource.fields) {
    const given = record[rule.name] ?? null;
    if (given === null && rule.kind !== "number") continue;
    if (!isFieldOf(rule, given)) {
      if (rule.kind === "number") return "bad_field";
      dropped.push({ field: rule.name, reason: "bad_field", detail: `Of ${rule.values.join(", ")}` });
      continue;
    }
    const value = typeof given === "number" ? convert(given) : given;
    if (rule.kind === "number" && !isWithin(Number(value), rule.bounds)) return "value_out_of_range";
    fields[rule.name] = value;
  }
  if (Object.keys(fields).length > 0) sample.fields = fields;
  return undefined;
}

function isValueOf(resource: TimeseriesResource, given: unknown): given is number | string | null {
  if (resource.value === "none") return given === null;
  if (resource.value === "string") return typeof given === "string";
  return resource.value === "integer" ? Number.isInteger(given) : Number.isFinite(given);
}

function isFieldOf(rule: FieldRule, given: unknown): given is FieldValue {
  if (rule.kind === "number") return Number.isFinite(given);
  if (rule.kind === "choice") return typeof given === "string" && rule.values.includes(given);
  const isChoice = (item: unknown): boolean => typeof item === "string" && rule.values.includes(item);
  return Array.isArray(given) && given.length <= rule.values.length && given.every(isChoice);
}

function isWithin(value: number, [min, max]: Bounds): boolean {
  return value >= min && value <= max;
}

function isRecord(raw: unknown): raw is RawRecord {
  return typeof raw === "object" && raw !== null;
}
