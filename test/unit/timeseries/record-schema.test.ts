import fc from "fast-check";
import { expect, test } from "vitest";
import type * as z from "zod";
import { type AcceptanceContext, ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import { type RejectionReason, rejectionReasons } from "../../../lib/domain/ingest/rejection-reasons.ts";
import { acceptRecord } from "../../../lib/domain/timeseries/accept-record.ts";
import { recordSchema } from "../../../lib/domain/timeseries/record-schema.ts";
import type { TimeseriesResource } from "../../../lib/domain/timeseries/resource.ts";
import { timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";
import { unitSpellings } from "../../../lib/domain/timeseries/unit-spellings.ts";

const context: AcceptanceContext = {
  receivedAt: Date.UTC(2026, 0, 10),
  bounds: ingestionBounds("2026-01-01", "2026-01-31"),
  // Any possible unit counts as a unit of the right dimension, because the schema does not check dimensions.
  converterOf: () => (value) => value,
};
const schemas = new Map(timeseriesResources.map((resource) => [resource.name as string, recordSchema(resource)]));

/** A slow reference of the same decision: the documented schema for the shape, then the rules between fields. */
function acceptSlowly(resource: TimeseriesResource, raw: Record<string, unknown>) {
  const parsed = schemas.get(resource.name)!.safeParse(raw);
  const found = parsed.error?.issues ?? [];
  const isDropped = ({ path }: z.core.$ZodIssue) => canBeWithout(resource, String(path[0]));
  const issues = found.filter((issue) => !isDropped(issue));
  const isOfField = ({ path }: z.core.$ZodIssue) => resource.fields.some(({ name }) => name === path[0]);
  // Fields are checked in order, and the first invalid field decides.
  const counted = [...issues.filter((issue) => !isOfField(issue)), ...issues.filter(isOfField).slice(0, 1)];
  const reasons = new Set(counted.map(reasonOf));
  if (!reasons.has("bad_time")) for (const reason of timeReasons(resource, raw)) reasons.add(reason);
  const reason = rejectionReasons.find((one) => reasons.has(one));
  return { reason, dropped: reason ? [] : [...new Set(found.filter(isDropped).map(({ path }) => path[0]))].sort() };
}

/** Whether a sample with this invalid field is accepted without the field. */
function canBeWithout({ type, value, fields }: TimeseriesResource, key: string): boolean {
  if (key === "type") return !type.required;
  if (key === "value") return value === "none";
  return fields.some(({ name, kind }) => name === key && kind !== "number");
}

function reasonOf({ path, code }: z.core.$ZodIssue): RejectionReason {
  const [key] = path;
  const isSize = code === "too_small" || code === "too_big";
  if (key === "type") return "bad_type";
  if (key === "unit") return "unknown_unit";
  if (key === "value") return isSize ? "value_out_of_range" : "bad_value";
  if (key === "systolic" || key === "diastolic") return isSize ? "value_out_of_range" : "bad_field";
  return ["timestamp", "start", "end", "timezone_offset", undefined].includes(key as string) ? "bad_time" : "bad_field";
}

function* timeReasons(resource: TimeseriesResource, raw: Record<string, unknown>): Generator<RejectionReason> {
  const [timestamp, start, end] = [raw.timestamp, raw.start, raw.end].map((text) =>
    text ? Date.parse(String(text)) : null,
  );
  const from = start ?? timestamp ?? null;
  if (from === null || (start && timestamp && start !== timestamp)) yield "bad_time";
  if (resource.kind === "interval" && start && !end) yield "bad_time";
  if (from !== null && end && end < from) yield "end_before_start";
  const last = resource.kind === "interval" ? (end ?? from ?? 0) : (from ?? 0);
  if (last > Date.UTC(2026, 0, 11)) yield "in_the_future";
  const day = new Date((from ?? 0) + offsetOf(raw) * 1_000).toISOString().slice(0, 10);
  if (day < "2026-01-01" || day > "2026-01-31") yield "out_of_bounds";
}

/** Offset from UTC in seconds. The bounds belong to a user in UTC. */
function offsetOf({ timezone_offset, start, timestamp }: Record<string, unknown>): number {
  const written = /([+-]\d\d):00$/.exec(String(start ?? timestamp))?.[1];
  return Number(timezone_offset ?? Number(written ?? 0) * 3_600) || 0;
}

const times = fc.constantFrom(
  ...["2026-01-05T00:00:00Z", "2026-01-05T01:00:00+01:00", "2026-01-05T08:30:00.5Z", "2026-01-06T00:00:00-05:00"],
  ...[
    "2025-12-30T23:00:00Z",
    "2025-12-31T23:30:00Z",
    "2026-01-01T00:30:00+01:00",
    "2026-01-10T23:59:59Z",
    "2026-01-11T00:00:00.001Z",
    "2026-03-01T00:00:00Z",
  ],
  ...["2026-01-05T00:00:00", "2026-01-32T00:00:00Z", 1_767_571_200, null, undefined],
);
const usuallyGood = (good: fc.Arbitrary<unknown>, bad: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: good }, { weight: 1, arbitrary: bad });
const junk = fc.constantFrom(
  null,
  undefined,
  "",
  "x",
  "ldl",
  1.5,
  -3,
  Number.NaN,
  [],
  ["food"],
  {},
  true,
  "y".repeat(70),
);

function records(resource: TimeseriesResource): fc.Arbitrary<Record<string, unknown>> {
  const [min, max] = resource.bounds;
  const value =
    resource.value === "string" ? fc.string({ minLength: 1, maxLength: 9 }) : fc.integer({ min: min | 0, max });
  const fields = resource.fields.map((rule) => {
    if (rule.kind === "number") return [rule.name, usuallyGood(fc.integer({ min: 0, max: 600 }), junk)];
    const one = fc.constantFrom(...rule.values);
    return [rule.name, usuallyGood(rule.kind === "choice" ? one : fc.array(one, { maxLength: 5 }), junk)];
  });
  return fc.record({
    timestamp: fc.option(times, { nil: undefined, freq: 3 }),
    start: fc.option(times, { nil: undefined, freq: 2 }),
    end: fc.option(times, { nil: undefined }),
    timezone_offset: usuallyGood(fc.constantFrom(undefined, null, 0, 3_600), fc.constantFrom(86_400, 0.5, "3600")),
    type: usuallyGood(fc.constantFrom(...(resource.type.values ?? [undefined, "lead_1"])), junk),
    unit: usuallyGood(fc.constantFrom(undefined, resource.unit, ...(unitSpellings[resource.unit] ?? [])), junk),
    value: usuallyGood(resource.value === "none" ? fc.constant(undefined) : value, junk),
    ...Object.fromEntries(fields),
  });
}

test.each(timeseriesResources)(
  "acceptance of $name agrees with the documented schema",
  { tags: "deep" },
  (resource) => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(records(resource), (raw) => {
        const fast = acceptRecord(resource, raw, context);
        seen.add("ok" in fast ? "ok" : fast.reason);
        const [reason, dropped] = "ok" in fast ? [undefined, fast.dropped ?? []] : [fast.reason, []];
        expect({ reason, dropped: dropped.map(({ field }) => field).sort() }).toEqual(acceptSlowly(resource, raw));
      }),
      { numRuns: 1_000 },
    );
    expect([...seen]).toEqual(expect.arrayContaining(["ok", "bad_time", "end_before_start", "in_the_future"]));
  },
);
