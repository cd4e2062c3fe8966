import type { Sample } from "../../../../../lib/domain/timeseries/chunk/sample.ts";

/** Resources of the schedules: points, intervals that grow, fields, and types inside and outside the identity. */
export const drillResources = ["heartrate", "steps", "blood_pressure", "glucose", "cholesterol", "ige"] as const;
export type DrillResource = (typeof drillResources)[number];

/** Where samples come from: the parts of a sample's identity beside user, resource, start and subtype. */
export interface Origin {
  readonly provider: string;
  readonly sourceType: string;
  readonly deviceId: string | null;
  readonly appId: string | null;
}

/** One sample as its sender means it. */
export interface Reading {
  readonly resource: DrillResource;
  readonly startMs: number;
  /** The start, unless the sample is an interval. */
  readonly endMs: number;
  /** The value, or systolic and diastolic pressure. */
  readonly values: readonly number[];
  readonly type: string | null;
  readonly offsetS: number | null;
}

/** The parts of a reading that identify it within its origin. */
export type ReadingKey = Pick<Reading, "resource" | "startMs" | "type">;

/** Types of the resources whose type is part of the identity. */
export const identityTypes: Partial<Record<DrillResource, readonly string[]>> = {
  cholesterol: ["ldl", "hdl", "total"],
  ige: ["birch", "Birch", "birch#1", "birch~", "Birke/Ä"],
};

/** The part of the identity that tells samples of one instant apart. */
export const subtypeOf = ({ resource, type }: ReadingKey): string => (identityTypes[resource] ? (type ?? "") : "");

/** Everything of a reading that a correction can change, as text. */
export const contentOf = ({ endMs, values, type, offsetS }: Reading): string =>
  JSON.stringify([endMs, values, type, offsetS]);

const iso = (ms: number) => new Date(ms).toISOString();

/** The record that a sender posts for a reading. */
export function toRecord({ resource, startMs, endMs, values, type, offsetS }: Reading): Record<string, unknown> {
  const times = resource === "steps" ? { start: iso(startMs), end: iso(endMs) } : { timestamp: iso(startMs) };
  const [first, second] = values;
  const measures = resource === "blood_pressure" ? { systolic: first, diastolic: second } : { value: first };
  return { ...times, ...measures, timezone_offset: offsetS, ...(type === null ? {} : { type }) };
}

/** The entry of a list `deleted` for a reading. */
export function toDeletion(key: ReadingKey): Record<string, unknown> {
  return { timestamp: iso(key.startMs), ...(subtypeOf(key) === "" ? {} : { type: key.type }) };
}

/** A sample of a page or an event. */
export interface WireRow {
  readonly start: string;
  readonly end: string;
  readonly type: string | null;
  readonly timezone_offset: number | null;
  readonly value?: number;
  readonly systolic?: number;
  readonly diastolic?: number;
}

/** Returns the reading that a page or event shows. */
export function fromWire(resource: DrillResource, row: WireRow): Reading {
  const { start, end, type, timezone_offset: offsetS, value = NaN, systolic = NaN, diastolic = NaN } = row;
  const values = resource === "blood_pressure" ? [systolic, diastolic] : [value];
  return { resource, startMs: Date.parse(start), endMs: Date.parse(end), values, type, offsetS };
}

/** Returns the reading that the store holds. */
export function fromSample(resource: DrillResource, { start, end, value, offsetS, type, subtype, fields }: Sample) {
  const measures = resource === "blood_pressure" ? [fields?.systolic, fields?.diastolic] : [value];
  const reading: Reading = {
    resource,
    startMs: start,
    endMs: end ?? start,
    values: measures.map(Number),
    type: subtype ?? type,
    offsetS,
  };
  return reading;
}
