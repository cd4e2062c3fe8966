import { describe, expect, test } from "vitest";
import { type AcceptanceContext, ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import { acceptRecord } from "../../../lib/domain/timeseries/accept-record.ts";
import { getResource, type ResourceName } from "../../../lib/domain/timeseries/resources.ts";

const receivedAt = Date.UTC(2026, 0, 10, 12);
const always: AcceptanceContext = { receivedAt, bounds: ingestionBounds(null, null) };
const accept = (name: ResourceName, raw: unknown, context = always) => acceptRecord(getResource(name), raw, context);

const at = "2026-01-02T03:04:05Z";
const atMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const later = "2026-01-02T03:05:05Z";
const plain = { start: atMs, offsetS: null, type: null };

describe("the times of a record", () => {
  test("place a point at its timestamp or its start", () => {
    expect(accept("heartrate", { timestamp: at, value: 61 })).toEqual({ ok: { ...plain, value: 61 } });
    expect(accept("heartrate", { start: at, end: later, value: 61 })).toEqual({ ok: { ...plain, value: 61 } });
  });

  test("keep the end of an interval, and give a bare timestamp no length", () => {
    expect(accept("steps", { start: at, end: later, value: 40 })).toEqual({
      ok: { ...plain, end: atMs + 60_000, value: 40 },
    });
    expect(accept("caffeine", { timestamp: at, value: 0.1 })).toEqual({ ok: { ...plain, end: atMs, value: 0.1 } });
  });

  test.each([
    ["a time without offset", { timestamp: "2026-01-02T03:04:05" }],
    ["no time", {}],
    ["a number", { timestamp: atMs }],
    ["a start without end", { start: at }],
    ["a start and another timestamp", { start: at, timestamp: later, end: later }],
    ["an invalid end", { start: at, end: "soon" }],
    ["an offset with a fraction of a second", { timestamp: at, timezone_offset: 1.5 }],
    ["an offset of a day", { timestamp: at, timezone_offset: 86_400 }],
  ])("reject %s as bad_time", (_, times) => {
    expect(accept("steps", { value: 1, ...times })).toEqual({ reason: "bad_time", field: expect.any(String) });
  });

  test.each([null, undefined, 5, "text", [], [1]])("reject %j, which is not a record, as bad_time", (raw) => {
    expect(accept("steps", raw)).toEqual({ reason: "bad_time", field: null });
  });

  test("reject an end before the start", () => {
    expect(accept("steps", { start: later, end: at, value: 1 })).toEqual({
      reason: "end_before_start",
      field: expect.any(String),
    });
    expect(accept("heartrate", { start: later, end: at, value: 61 })).toEqual({
      reason: "end_before_start",
      field: expect.any(String),
    });
  });

  test("may lie up to 24 hours after the receipt and no later", () => {
    expect(accept("heartrate", { timestamp: "2026-01-11T12:00:00Z", value: 61 })).toHaveProperty("ok");
    expect(accept("heartrate", { timestamp: "2026-01-11T12:00:00.001Z", value: 61 })).toEqual({
      reason: "in_the_future",
      field: "timestamp",
    });
    const longer = { start: at, end: "2026-01-12T00:00:00Z", value: 1 };
    expect(accept("steps", longer)).toEqual({ reason: "in_the_future", field: "end" });
  });

  test("must lie within the user's ingestion dates, both inclusive", () => {
    const context = { receivedAt, bounds: ingestionBounds("2026-01-03", "2026-01-05") };
    const reasonAt = (timestamp: string) => accept("heartrate", { timestamp, value: 61 }, context);
    expect(reasonAt("2026-01-02T23:59:59.999Z")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
    expect(reasonAt("2026-01-03T00:00:00Z")).toHaveProperty("ok");
    expect(reasonAt("2026-01-05T23:59:59.999Z")).toHaveProperty("ok");
    expect(reasonAt("2026-01-06T00:00:00Z")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
  });

  test("belong to ingestion dates by their own offset, else by the user's fallback time zone", () => {
    const context = { receivedAt, bounds: ingestionBounds("2026-01-03", "2026-01-05", "America/New_York") };
    const reasonAt = (timestamp: string) => accept("heartrate", { timestamp, value: 61 }, context);
    expect(reasonAt("2026-01-02T22:00:00+00:00")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
    expect(reasonAt("2026-01-03T00:00:00+09:00")).toHaveProperty("ok");
    expect(reasonAt("2026-01-02T23:59:59+09:00")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
    expect(reasonAt("2026-01-03T04:59:59Z")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
    expect(reasonAt("2026-01-03T05:00:00Z")).toHaveProperty("ok");
    expect(reasonAt("2026-01-06T04:59:59Z")).toHaveProperty("ok");
    expect(reasonAt("2026-01-06T05:00:00Z")).toEqual({ reason: "out_of_bounds", field: expect.any(String) });
  });
});

describe("the offset of a record", () => {
  const offsetOf = (record: object) => {
    const result = accept("heartrate", { value: 61, ...record });
    return "ok" in result ? result.ok.offsetS : result.reason;
  };

  test("comes from its own field, else from the notation of its time", () => {
    expect(offsetOf({ timestamp: "2026-01-02T03:04:05+02:00" })).toBe(7_200);
    expect(offsetOf({ timestamp: "2026-01-02T03:04:05+02:00", timezone_offset: null })).toBe(7_200);
    expect(offsetOf({ timestamp: "2026-01-02T03:04:05+02:00", timezone_offset: -3_600 })).toBe(-3_600);
    expect(offsetOf({ timestamp: "2026-01-02T03:04:05+00:00" })).toBe(0);
  });

  test("is unknown for Z, and for +00:00 when the record says so", () => {
    expect(offsetOf({ timestamp: at })).toBeNull();
    expect(offsetOf({ timestamp: "2026-01-02T03:04:05+00:00", timezone_offset: null })).toBeNull();
  });
});

describe("the value of a record", () => {
  test.each(["61", null, undefined, Number.NaN, Number.POSITIVE_INFINITY, [61], true])("rejects %j", (value) => {
    expect(accept("heartrate", { timestamp: at, value })).toEqual({ reason: "bad_value", field: expect.any(String) });
  });

  test("rejects impossible values", () => {
    expect(accept("heartrate", { timestamp: at, value: 9.9 })).toEqual({
      reason: "value_out_of_range",
      field: expect.any(String),
    });
    expect(accept("heartrate", { timestamp: at, value: 401 })).toEqual({
      reason: "value_out_of_range",
      field: expect.any(String),
    });
    expect(accept("note", { timestamp: at, value: "" })).toEqual({
      reason: "value_out_of_range",
      field: expect.any(String),
    });
  });

  test("rejects a fraction of an integer resource", () => {
    expect(accept("hypnogram", { start: at, end: later, value: 1.5 })).toEqual({
      reason: "bad_value",
      field: expect.any(String),
    });
    expect(accept("hypnogram", { start: at, end: later, value: -1 })).toHaveProperty("ok");
  });

  test("accepts the resource's unit and its spellings, and no other unit without a converter", () => {
    expect(accept("heartrate", { timestamp: at, value: 61, unit: "count/min" })).toHaveProperty("ok");
    expect(accept("glucose", { timestamp: at, value: 5.5, unit: "mg/dL" })).toEqual({
      reason: "unknown_unit",
      field: expect.any(String),
    });
    expect(accept("glucose", { timestamp: at, value: 5.5, unit: "toString" })).toEqual({
      reason: "unknown_unit",
      field: expect.any(String),
    });
    expect(accept("glucose", { timestamp: at, value: 5.5, unit: 1 })).toEqual({
      reason: "unknown_unit",
      field: expect.any(String),
    });
    const pressure = { timestamp: at, systolic: 121, diastolic: 79 };
    expect(accept("blood_pressure", { ...pressure, unit: "mm[Hg]" })).toHaveProperty("ok");
  });

  test("is converted and checked against its bounds after the conversion", () => {
    const halving = { ...always, converterOf: () => (value: number) => value / 2 };
    const rate = (value: number) => accept("heartrate", { timestamp: at, value, unit: "Hz" }, halving);
    expect(rate(122)).toEqual({ ok: { ...plain, value: 61 } });
    expect(rate(800)).toHaveProperty("ok");
    expect(rate(801)).toEqual({ reason: "value_out_of_range", field: expect.any(String) });
    expect(rate(19)).toEqual({ reason: "value_out_of_range", field: expect.any(String) });
  });

  test("has measured fields converted and checked against their bounds afterwards", () => {
    const tenfold = { ...always, converterOf: () => (value: number) => value * 10 };
    const pressure = (systolic: number) =>
      accept("blood_pressure", { timestamp: at, systolic, diastolic: 8, unit: "kPa" }, tenfold);
    expect(pressure(12)).toEqual({ ok: { ...plain, value: null, fields: { systolic: 120, diastolic: 80 } } });
    expect(pressure(60)).toEqual({ reason: "value_out_of_range", field: expect.any(String) });
  });
});

describe("the type and the fields of a record", () => {
  test("include a type that is part of the identity as the subtype", () => {
    expect(accept("cholesterol", { timestamp: at, value: 3, type: "ldl" })).toEqual({
      ok: { ...plain, value: 3, subtype: "ldl" },
    });
    expect(accept("glucose", { timestamp: at, value: 5, type: "automatic" })).toEqual({
      ok: { ...plain, value: 5, type: "automatic" },
    });
  });

  test.each([
    ["cholesterol", undefined],
    ["cholesterol", "bad"],
    ["ige", ""],
    ["stand_hour", "lying"],
  ] as const)("reject %s of type %j", (name, type) => {
    expect(accept(name, { timestamp: at, value: 3, type })).toEqual({ reason: "bad_type", field: expect.any(String) });
  });

  test.each([4, "", "x".repeat(65)])("drop the invalid glucose type %j and report it", (type) => {
    expect(accept("glucose", { timestamp: at, value: 3, type })).toEqual({
      ok: { ...plain, value: 3 },
      dropped: [{ field: "type", reason: "bad_type" }],
    });
  });

  test("contain two fields and no value for blood pressure", () => {
    expect(accept("blood_pressure", { timestamp: at, systolic: 121, diastolic: 79.5 })).toEqual({
      ok: { ...plain, value: null, fields: { systolic: 121, diastolic: 79.5 } },
    });
    expect(accept("blood_pressure", { timestamp: at, systolic: 121 })).toEqual({
      reason: "bad_field",
      field: "diastolic",
    });
    expect(accept("blood_pressure", { timestamp: at, systolic: 121, diastolic: "79" })).toEqual({
      reason: "bad_field",
      field: "diastolic",
    });
    expect(accept("blood_pressure", { timestamp: at, systolic: 1, diastolic: 79 })).toEqual({
      reason: "value_out_of_range",
      field: "systolic",
    });
    expect(accept("blood_pressure", { timestamp: at, systolic: 121, diastolic: 79, value: 1 })).toEqual({
      ok: { ...plain, value: null, fields: { systolic: 121, diastolic: 79 } },
      dropped: [{ field: "value", reason: "bad_value" }],
    });
  });

  test("keep extra fields and ignore unknown keys", () => {
    const note = { timestamp: at, value: "coffee", tags: ["food"], mood: "good" };
    expect(accept("note", note)).toEqual({ ok: { ...plain, end: atMs, value: "coffee", fields: { tags: ["food"] } } });
    expect(accept("note", { ...note, tags: null })).toEqual({ ok: { ...plain, end: atMs, value: "coffee" } });
  });

  test.each([{ tags: ["tea"] }, { tags: ["food", "food", "food", "food", "food"] }, { tags: "food" }, { tags: [1] }])(
    "drop the invalid tags $tags of a note and report them",
    ({ tags }) => {
      expect(accept("note", { timestamp: at, value: "coffee", tags })).toEqual({
        ok: { ...plain, end: atMs, value: "coffee" },
        dropped: [{ field: "tags", reason: "bad_field" }],
      });
    },
  );
});
