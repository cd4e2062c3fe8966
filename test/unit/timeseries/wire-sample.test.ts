import { JunctionClient } from "@junction-api/sdk";
import { describe, expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/connections/sources/source.ts";
import { ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import { acceptRecord } from "../../../lib/domain/timeseries/accept-record.ts";
import type { Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";
import type { TimeseriesResource } from "../../../lib/domain/timeseries/resource.ts";
import { getResource, timeseriesResources } from "../../../lib/domain/timeseries/resources.ts";
import {
  anyWireSample,
  groupedResponse,
  ungroupedResponse,
  wireSampleSchema,
} from "../../../lib/domain/timeseries/wire-response.ts";
import { toWireSample } from "../../../lib/domain/timeseries/wire-sample.ts";

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");

/** A sample with every field of the resource. */
function fullSample(resource: TimeseriesResource): Sample {
  const { kind, value, bounds, type, fields } = resource;
  const typeValue = type.required ? (type.values?.[0] ?? "lead_1") : null;
  const given = fields.map((rule) => [
    rule.name,
    rule.kind === "number" ? 90 : rule.kind === "choice" ? rule.values[0]! : [rule.values[0]!],
  ]);
  return {
    start: startMs,
    ...(kind === "interval" ? { end: startMs + 60_500 } : {}),
    value: value === "none" ? null : value === "string" ? "text" : value === "integer" ? 1 : Math.min(24, bounds[1]),
    offsetS: -3_600,
    type: type.identity ? null : typeValue,
    ...(type.identity && typeValue !== null ? { subtype: typeValue } : {}),
    ...(fields.length > 0 ? { fields: Object.fromEntries(given) } : {}),
  };
}

/** Calls `vitals.<method>` of the public client, which parses `body` as the response. */
async function parseWithClient(method: string, body: unknown): Promise<unknown> {
  const client = new JunctionClient({
    apiKey: "sk_us_test",
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(Response.json(body)),
  });
  const call: unknown = Reflect.get(client.vitals, method);
  if (typeof call !== "function") throw new Error(`the client has no vitals.${method}`);
  return Reflect.apply(call, client.vitals, ["6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", { startDate: "2026-01-02" }]);
}

const camelCase = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

describe("toWireSample", () => {
  test("writes an interval with start, end and the same timestamp", () => {
    const steps = { start: startMs, end: startMs + 60_000, value: 40, offsetS: 7_200, type: null };
    expect(toWireSample(getResource("steps"), steps)).toEqual({
      id: null,
      timezone_offset: 7_200,
      type: null,
      unit: "count",
      timestamp: "2026-01-02T03:04:05+00:00",
      start: "2026-01-02T03:04:05+00:00",
      end: "2026-01-02T03:05:05+00:00",
      value: 40,
    });
  });

  test("writes a point as an interval without length", () => {
    const wire = toWireSample(getResource("heartrate"), { start: startMs, value: 61, offsetS: null, type: null });
    expect([wire.timestamp, wire.start, wire.end]).toEqual(Array(3).fill("2026-01-02T03:04:05+00:00"));
  });

  test("writes the subtype as type, and no value for blood pressure", () => {
    const ldl = { start: startMs, value: 3, offsetS: null, type: null, subtype: "ldl" };
    expect(toWireSample(getResource("cholesterol"), ldl)).toMatchObject({ type: "ldl", value: 3 });
    const pressure = {
      start: startMs,
      value: null,
      offsetS: null,
      type: null,
      fields: { systolic: 121, diastolic: 79 },
    };
    const wire = toWireSample(getResource("blood_pressure"), pressure);
    expect(wire).toMatchObject({ systolic: 121, diastolic: 79 });
    expect(wire).not.toHaveProperty("value");
  });

  test("writes absent extra fields as null", () => {
    const sample = { start: startMs, end: startMs, value: 30, offsetS: null, type: null };
    expect(toWireSample(getResource("workout_duration"), sample)).toHaveProperty("intensity", null);
  });
});

describe.each(timeseriesResources)("the responses for $name", (resource: TimeseriesResource) => {
  const sample = fullSample(resource);
  const wire = toWireSample(resource, sample);
  const grouped = { groups: { oura: [{ source, data: [wire] }] }, next: null, next_cursor: null };

  test("match their schemas", () => {
    expect(groupedResponse(wireSampleSchema(resource)).parse(grouped)).toEqual(grouped);
    expect(groupedResponse(anyWireSample).parse(grouped)).toEqual(grouped);
    expect(ungroupedResponse(wireSampleSchema(resource)).parse([wire])).toEqual([wire]);
  });

  test("parse with the public client", async () => {
    const method = camelCase(resource.name);
    const start = new Date(startMs);
    expect(await parseWithClient(`${method}Grouped`, grouped)).toMatchObject({
      groups: { oura: [{ source: { name: "Oura" }, data: [{ timestamp: start, unit: resource.unit }] }] },
    });
    if (resource.plain) expect(await parseWithClient(method, [wire])).toMatchObject([{ timestamp: start }]);
  });

  test("can be ingested again and give the same sample", () => {
    const context = { receivedAt: startMs + 120_000, bounds: ingestionBounds(null, null) };
    expect(acceptRecord(resource, wire, context)).toEqual({ ok: sample });
    const { offsetS: _, ...placeless } = sample;
    const again = toWireSample(resource, { ...placeless, offsetS: null });
    expect(acceptRecord(resource, again, context)).toEqual({ ok: { ...placeless, offsetS: null } });
  });
});
