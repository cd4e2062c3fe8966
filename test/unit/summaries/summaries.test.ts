import { JunctionClient } from "@junction-api/sdk";
import { describe, expect, test } from "vitest";
import { toWireSource } from "../../../lib/domain/sources/source.ts";
import { toWireSummary } from "../../../lib/domain/summaries/summary-kind.ts";
import { findSummaryKind } from "../../../lib/domain/summaries/summary-kinds.ts";
import { type SummaryName, summaryNames } from "../../../lib/domain/summaries/summary-names.ts";
import { accept, acceptWell } from "./accepting.ts";

const source = toWireSource({ provider: "oura", type: "ring" }, "https://api.example.com");
const frame = {
  id: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0",
  user_id: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11",
  created_at: "2026-01-02T09:00:00+00:00",
  updated_at: "2026-01-03T09:00:00+00:00",
};

const session = { session_start: "2026-01-02T23:30:00+01:00", session_end: "2026-01-03T07:00:00+01:00" };
const noStages = { stage_start_offset_second: [], stage_end_offset_second: [], stage_type: [] };
/** The least that a sender must give, by kind. */
const least: Readonly<Record<SummaryName, object>> = {
  activity: { calendar_date: "2026-01-02" },
  body: { calendar_date: "2026-01-02" },
  profile: {},
  sleep: { bedtime_start: session.session_start, bedtime_stop: session.session_end },
  workouts: { provider_id: "w1", time_start: session.session_start, time_end: session.session_end },
  meal: { timestamp: session.session_start, name: "Breakfast" },
  menstrual_cycle: { period_start: "2026-01-02" },
  electrocardiogram: { ...session, voltage_sample_count: 15_360 },
  sleep_cycle: { ...session, ...noStages },
  devices: { device_id: "watch-1" },
};

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** What the public client makes of an answer about a summary of this kind. */
async function readBy(name: SummaryName, answer: object): Promise<unknown> {
  const client = new JunctionClient({
    apiKey: "sk_us_test",
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(Response.json(answer)),
  });
  if (name === "devices") return client.user.getDevice({ userId: frame.user_id, deviceId: frame.id });
  const resource: unknown = Reflect.get(client, camelCase(name));
  if (typeof resource !== "object" || resource === null) throw new Error(`the client has no ${name}`);
  const get: unknown = Reflect.get(resource, "get");
  if (typeof get !== "function") throw new Error(`the client has no ${name}.get`);
  return Reflect.apply(get, resource, [{ userId: frame.user_id, startDate: "2026-01-01" }]);
}

describe.each(summaryNames)("$name", ({ name, listKey }) => {
  const kind = findSummaryKind(name)!;
  const { fields, links = {} } = acceptWell(name, least[name]);
  const linked = Object.fromEntries(Object.keys(links).map((field) => [field, frame.id]));
  const wire = toWireSummary(kind, { ...fields, ...linked }, frame, source);

  test("is answered with every field of its schema, those not given as null or default", () => {
    expect(kind.wire.strict().parse(wire)).toEqual(wire);
    expect(Object.keys(wire).sort()).toEqual(Object.keys(kind.wire.shape).sort());
  });

  test("is read by the public client", async () => {
    const parsed = { id: frame.id, ...(name === "devices" ? {} : { updatedAt: new Date(frame.updated_at) }) };
    if (listKey === null || name === "devices") expect(await readBy(name, wire)).toMatchObject(parsed);
    else expect(await readBy(name, { [listKey]: [wire] })).toMatchObject({ [camelCase(listKey)]: [parsed] });
  });

  test.each([null, "text", []])("refuses %j", (raw) => {
    expect(accept(name, raw)).toHaveProperty("reason");
  });
});

test.each<[SummaryName, (value: unknown) => object]>([
  ["activity", (steps) => ({ steps })],
  ["body", (weight) => ({ weight })],
  ["profile", (height) => ({ height })],
  ["sleep", (score) => ({ score })],
  ["workouts", (steps) => ({ steps })],
  ["meal", (value) => ({ energy: { unit: "kcal", value } })],
  ["menstrual_cycle", (value) => ({ basal_body_temperature: [{ date: "2026-01-02", value }] })],
  ["electrocardiogram", (heart_rate_mean) => ({ heart_rate_mean })],
  ["sleep_cycle", (offset) => ({ stage_end_offset_second: [offset] })],
])("%s refuses a number of the wrong kind", (name, measured) => {
  expect(accept(name, { ...least[name], ...measured("many") })).toEqual({ reason: "bad_field" });
  expect(accept(name, { ...least[name], ...measured(-1) })).toEqual({ reason: "value_out_of_range" });
});

test("a summary that no table item holds is refused", () => {
  const foods = Array.from({ length: 900 }, (_, index) => [`food ${index} ${"x".repeat(120)}`, {}]);
  expect(accept("meal", { ...least.meal, data: Object.fromEntries(foods) })).toEqual({ reason: "too_large" });
});
