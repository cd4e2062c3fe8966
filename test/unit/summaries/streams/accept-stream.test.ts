import { JunctionClient } from "@junction-api/sdk";
import { describe, expect, test } from "vitest";
import { acceptBatch, needsUnitConversion } from "../../../../lib/domain/ingest/accept-batch.ts";
import { ingestionBounds } from "../../../../lib/domain/ingest/ingestion-bounds.ts";
import { sleepStream } from "../../../../lib/domain/summaries/streams/sleep-stream.ts";
import { streamKinds } from "../../../../lib/domain/summaries/streams/stream-kinds.ts";
import { workoutStream } from "../../../../lib/domain/summaries/streams/workout-stream.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";

const receivedAt = Date.UTC(2026, 0, 10);
const context = { receivedAt, bounds: ingestionBounds("2026-01-01", null) };
const startS = Date.UTC(2026, 0, 9, 6) / 1000;
const time = [startS, startS + 1, startS + 1, startS + 5];
const ride = { provider_id: "ride-1", time, power: [180, null, 190.5, 0], altitude: null };
const night = {
  provider_id: "night-1",
  heartrate: [
    { timestamp: "2026-01-09T01:00:00+01:00", value: 50 },
    { timestamp: "2026-01-08T23:00:00+01:00", value: 55 },
  ],
  hypnogram: [{ start: "2026-01-08T22:00:00Z", end: "2026-01-08T22:30:00Z", value: 2 }],
};
const examples = [
  { kind: workoutStream, record: ride },
  { kind: sleepStream, record: night },
];

function contentOf({ kind, record }: (typeof examples)[number]) {
  const result = kind.accept(record, context);
  if ("reason" in result) throw new Error(result.reason);
  return result.ok.content;
}
const refusal = (kind: typeof workoutStream, record: unknown) => kind.accept(record, context);

test.each(examples)("$kind.name contains every list of its schema, with absent lists empty", (example) => {
  const content = contentOf(example);
  expect(example.kind.wire.strict().parse(content)).toEqual(content);
  expect(Object.keys(content).toSorted()).toEqual(Object.keys(example.kind.wire.shape).toSorted());
});

test.each(examples)("the public client parses $kind.name", async (example) => {
  const content = contentOf(example);
  const client = new JunctionClient({
    apiKey: "sk_us_test",
    baseUrl: "http://localhost",
    fetch: () => Promise.resolve(Response.json(content)),
  });
  const answer = await (example.kind === workoutStream
    ? client.workouts.getByWorkoutId({ workoutId: "w" })
    : client.sleep.getStreamBySleepId({ sleepId: "s" }));
  expect(answer).toMatchObject(
    example.kind === workoutStream ? { time, power: ride.power, velocitySmooth: [] } : { hrv: [], respiratoryRate: [] },
  );
});

describe("a workout stream", () => {
  test("keeps each list with its gaps, and its span", () => {
    expect(workoutStream.accept(ride, context)).toEqual({
      ok: {
        providerId: "ride-1",
        content: expect.objectContaining({ time, power: [180, null, 190.5, 0], altitude: [], heartrate: [] }),
        startMs: startS * 1000,
        endMs: startS * 1000 + 5_000,
      },
    });
  });

  test.each([
    ["an invalid object", "ride", "bad_field"],
    ["no workout id", { ...ride, provider_id: "" }, "bad_field"],
    ["a non-string id", { ...ride, provider_id: 7 }, "bad_field"],
    ["no times", { ...ride, time: [] }, "bad_time"],
    ["times as strings", { ...ride, time: time.map(String) }, "bad_time"],
    ["a fraction of a second", { ...ride, time: [startS, startS + 0.5, startS + 1, startS + 2] }, "bad_time"],
    ["descending times", { ...ride, time: time.toReversed() }, "bad_time"],
    ["a time before 1970", { ...ride, time: [-1, 0, 1, 2] }, "bad_time"],
    ["milliseconds instead of seconds", { ...ride, time: time.map((second) => second * 1000) }, "in_the_future"],
    [
      "a time outside the user's bounds",
      { ...ride, time: time.map((second) => second - 40 * 86_400) },
      "out_of_bounds",
    ],
    ["more points than allowed", { ...ride, time: Array(100_001).fill(startS) }, "too_large"],
  ])("with %s is rejected", (_, record, reason) => {
    const field = reason === "bad_field" ? "provider_id" : "time";
    expect(refusal(workoutStream, record)).toEqual({ reason, field: typeof record === "string" ? null : field });
  });

  test.each([
    ["power", "a shorter list", [1, 2, 3], [], "bad_field"],
    ["cadence", "a longer list", [1, 2, 3, 4, 5], [], "bad_field"],
    ["power", "a text for a list", "1234", [], "bad_field"],
    ["power", "a text for a number", [1, 2, 3, "4"], [1, 2, 3, null], "bad_value"],
    ["heartrate", "half a heart beat", [1, 2, 3, 4.5], [1, 2, 3, null], "bad_value"],
    ["lat", "a place off the earth", [1, 2, 3, 91], [1, 2, 3, null], "value_out_of_range"],
    ["altitude", "nothing but bad values", [99_999, 99_999, 99_999, 99_999], [], "value_out_of_range"],
  ])("is accepted without invalid values in %s: %s", (field, _, given, kept, reason) => {
    const judged = workoutStream.accept({ ...ride, [field]: given }, context);
    expect(judged).toMatchObject({
      ok: { content: { time, [field]: kept } },
      dropped: [{ field, reason }],
    });
  });

  test("may have one point per second of a day", () => {
    const many = Array.from({ length: 86_400 }, (_, second) => startS - 86_400 + second);
    const record = { provider_id: "day", time: many, heartrate: many.map((second) => 60 + (second % 100)) };
    expect(workoutStream.accept(record, context)).toHaveProperty("ok");
  });

  test("that exceeds the response limit is rejected", () => {
    const lists = Object.keys(workoutStream.wire.shape).filter((name) => name !== "time" && name !== "heartrate");
    const long = Array(90_000).fill(1.234567);
    const record = {
      ...Object.fromEntries(lists.map((name) => [name, long])),
      provider_id: "long",
      time: long.map(() => startS),
    };
    expect(refusal(workoutStream, record)).toEqual({ reason: "too_large", field: null });
  });
});

describe("a sleep stream", () => {
  test("has samples in the timeseries form, in time order, and their span", () => {
    expect(sleepStream.accept(night, context)).toMatchObject({
      ok: {
        providerId: "night-1",
        content: {
          heartrate: [
            { timestamp: "2026-01-08T22:00:00+00:00", timezone_offset: 3_600, unit: "bpm", value: 55 },
            { timestamp: "2026-01-09T00:00:00+00:00", value: 50 },
          ],
          hypnogram: [
            { start: "2026-01-08T22:00:00+00:00", end: "2026-01-08T22:30:00+00:00", unit: "stage", value: 2 },
          ],
        },
        startMs: Date.UTC(2026, 0, 8, 22),
        endMs: Date.UTC(2026, 0, 9),
      },
    });
  });

  test.each([
    ["no samples", { provider_id: "night-1", hrv: [] }, { reason: "bad_field", field: null }],
    [
      "only a sample without a time",
      { provider_id: "night-1", hrv: [{ value: 40 }] },
      { reason: "bad_time", field: "hrv", omitted: [1, 1] },
    ],
  ])("with %s is rejected", (_, record, refused) => {
    expect(refusal(sleepStream, record)).toEqual(refused);
  });

  test.each([
    ["an invalid list", "hrv", {}, "bad_field"],
    ["a sample without a time", "hrv", [{ value: 40 }], "bad_time"],
    ["a sample without a value", "hrv", [{ timestamp: "2026-01-09T00:00:00Z" }], "bad_value"],
    ["a heart rate of zero", "heartrate", [{ timestamp: "2026-01-09T00:00:00Z", value: 0 }], "value_out_of_range"],
    [
      "a stage that ends before its start",
      "hypnogram",
      [{ ...night.hypnogram[0], end: "2026-01-08T21:00:00Z" }],
      "end_before_start",
    ],
  ])("with %s is accepted without it", (_, field, given, reason) => {
    const alone = sleepStream.accept({ ...night, [field]: given }, context);
    expect(alone).toMatchObject({ ok: { content: { [field]: [] } }, dropped: [{ field, reason }] });
    const good = night.heartrate[0];
    const beside = sleepStream.accept({ ...night, heartrate: [good, { ...good, value: 9_999 }] }, context);
    expect(beside).toMatchObject({ ok: { content: { heartrate: [{ value: good?.value }] } } });
  });

  test("that exceeds the response limit is rejected", () => {
    const heartrate = Array.from({ length: 30_000 }, (_, second) => ({
      timestamp: new Date(startS * 1000 + second * 1000).toISOString(),
      value: 60,
    }));
    expect(refusal(sleepStream, { provider_id: "long", heartrate })).toEqual({ reason: "too_large", field: null });
  });
});

test("a stream requests the conversion of foreign units as timeseries do", () => {
  const inUnit = (unit: string) => ({
    provider_id: "n",
    hrv: [{ timestamp: "2026-01-09T00:00:00Z", value: 40, unit }],
  });
  const foreign = ["ms", "s"].map((unit) => needsUnitConversion({ sleep_stream: [null, "night", {}, inUnit(unit)] }));
  expect(foreign).toEqual([false, true]);
  const converterOf = () => (value: number) => value * 1000;
  const record = { ...inUnit("s"), hrv: [{ timestamp: "2026-01-09T00:00:00Z", value: 0.04, unit: "s" }] };
  expect(sleepStream.accept(record, { ...context, converterOf })).toMatchObject({
    ok: { content: { hrv: [{ value: 40, unit: "rmssd" }] } },
  });
});

test("streams are validated one by one among the records of a batch", () => {
  const ids = { userId: "6a1f6f3e-1df0-4bd4-8f0e-0d5c6d0d3c11", teamId: "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0" };
  const user = newUser({ client_user_id: "ada" }, ids, "2026-01-02T00:00:00.000Z");
  const resources = Object.fromEntries(
    streamKinds.map(({ name }) => [name, [{}, name === "sleep_stream" ? night : ride]]),
  );
  const raw = { provider: "oura", source_type: "ring", device_id: null, stage: "daily", resources } as const;
  const { batch, accepted, rejected } = acceptBatch(raw, user, receivedAt);
  expect([accepted, Object.keys(batch.streams)]).toEqual([2, ["workout_stream", "sleep_stream"]]);
  const refused = { index: 0, effect: "record_rejected", field: "provider_id", reason: "bad_field" };
  expect(rejected).toEqual(streamKinds.map(({ name }) => ({ resource: name, ...refused })));
});
