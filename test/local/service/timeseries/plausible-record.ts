import type { Bounds, FieldRule, TimeseriesResource } from "../../../../lib/domain/timeseries/resource.ts";

/** Returns a value strictly within the bounds, with a fraction if one is allowed. */
function within([min, max]: Bounds, isInteger: boolean): number {
  const middle = min + (max - min) / 3;
  return isInteger ? Math.round(middle) : Math.round(middle * 1_000) / 1_000;
}

function fieldValue(rule: FieldRule): number | string | readonly string[] | undefined {
  if (rule.kind === "number") return within(rule.bounds, true);
  return rule.kind === "choice" ? rule.values[0] : rule.values.slice(0, 2);
}

function plausibleValue({ value, bounds }: TimeseriesResource): number | string | undefined {
  if (value === "none") return undefined;
  return value === "string" ? "A note: half an apple 🍎" : within(bounds, value === "integer");
}

/** Returns a valid record of a resource by the registry's description, on 1 May 2026. */
export function plausibleRecord(resource: TimeseriesResource): Record<string, unknown> {
  const { kind, type, fields, unit } = resource;
  const start = "2026-05-01T08:00:00+02:00";
  return {
    ...(kind === "interval" ? { start, end: "2026-05-01T08:05:00+02:00" } : { timestamp: start }),
    ...(type.required ? { type: type.values?.[0] ?? "birch" } : {}),
    unit,
    value: plausibleValue(resource),
    ...Object.fromEntries(fields.map((rule) => [rule.name, fieldValue(rule)])),
  };
}

/** Returns the form in which reads return {@link plausibleRecord}. */
export function expectedRecord(resource: TimeseriesResource): Record<string, unknown> {
  const { start: _start, end: _end, timestamp: _timestamp, ...rest } = plausibleRecord(resource);
  const start = "2026-05-01T06:00:00+00:00";
  const end = resource.kind === "interval" ? "2026-05-01T06:05:00+00:00" : start;
  const { value, ...fields } = rest;
  const common = { id: null, timezone_offset: 7_200, type: null, timestamp: start, start, end };
  return { ...common, ...fields, ...(value === undefined ? {} : { value }) };
}
