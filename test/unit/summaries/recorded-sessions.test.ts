import { describe, expect, test } from "vitest";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";

const session = { session_start: "2026-01-03T00:30:00+01:00", session_end: "2026-01-03T01:00:00+01:00" };
const inUtc = { session_start: "2026-01-02T23:30:00+00:00", session_end: "2026-01-03T00:00:00+00:00" };
const recording = { ...session, voltage_sample_count: 15_360 };
const stages = {
  stage_start_offset_second: [0, 600],
  stage_end_offset_second: [600, 1_800],
  stage_type: [4, -1],
};

describe.each([
  ["electrocardiogram", recording],
  ["sleep_cycle", { ...session, ...stages }],
] as const)("%s", (name, given) => {
  test("is identified by its start in UTC, in any notation", () => {
    expect(acceptValidSummary(name, given)).toMatchObject({ key: inUtc.session_start, fields: inUtc });
    expect(acceptValidSummary(name, { ...given, ...inUtc }).key).toBe(inUtc.session_start);
  });

  test.each([
    [{ session_end: session.session_start }, "end_before_start"],
    [{ session_start: "2026-01-03" }, "bad_time"],
    [{ session_end: undefined }, "bad_time"],
    [{ session_start: "2026-01-11T09:00:00Z", session_end: "2026-01-11T10:00:00Z" }, "in_the_future"],
    [{ session_start: "2025-12-11T09:00:00Z", session_end: "2025-12-11T10:00:00Z" }, "out_of_bounds"],
  ])("rejects %j: %s", (part, reason) => {
    expect(acceptSummary(name, { ...given, ...part })).toEqual({ reason, field: expect.any(String) });
  });
});

test("an electrocardiogram has its number of voltage samples", () => {
  expect(acceptSummary("electrocardiogram", session)).toEqual({ reason: "bad_field", field: expect.any(String) });
  expect(acceptSummary("electrocardiogram", { ...recording, voltage_sample_count: -1 })).toMatchObject({
    ok: { fields: { voltage_sample_count: 0 } },
    dropped: [{ field: "voltage_sample_count", reason: "value_out_of_range" }],
  });
});

describe("a sleep cycle", () => {
  const cycle = { ...session, ...stages };

  test("refers to the sleep with the same start", () => {
    expect(acceptValidSummary("sleep_cycle", cycle).links).toEqual({
      sleep_id: { kind: "sleep", key: inUtc.session_start },
    });
    const night = acceptValidSummary("sleep", {
      bedtime_start: session.session_start,
      bedtime_stop: session.session_end,
    });
    expect(night.key).toBe(inUtc.session_start);
  });

  test.each([
    [{ stage_type: [4] }, "bad_field"],
    [{ stage_start_offset_second: [0] }, "bad_field"],
    [{ stage_end_offset_second: [600, 1_800, 1_800] }, "bad_field"],
    [{ stage_type: undefined }, "bad_field"],
  ])("rejects %j: %s", (part, reason) => {
    expect(acceptSummary("sleep_cycle", { ...cycle, ...part })).toEqual({ reason, field: expect.any(String) });
  });

  test.each([
    [{ stage_type: [4, 6] }, "stage_type.1", "bad_field"],
    [{ stage_start_offset_second: [0, 1_801] }, "stage_end_offset_second.1", "end_before_start"],
    [{ stage_end_offset_second: [600, 1_801] }, "stage_end_offset_second.1", "value_out_of_range"],
    [{ stage_start_offset_second: [0, -1] }, "stage_start_offset_second.1", "value_out_of_range"],
    [{ stage_start_offset_second: [0, "ten"] }, "stage_start_offset_second.1", "bad_field"],
  ])("with %j is accepted without that stage, which %s names: %s", (part, field, reason) => {
    expect(acceptSummary("sleep_cycle", { ...cycle, ...part })).toMatchObject({
      ok: { fields: { stage_start_offset_second: [0], stage_end_offset_second: [600], stage_type: [4] } },
      dropped: [{ field, reason }],
    });
  });
});

test("a device requires the provider's id, which identifies it", () => {
  expect(acceptValidSummary("devices", { device_id: "watch-1" })).toMatchObject({
    key: "watch-1",
    providerId: "watch-1",
  });
  expect(acceptSummary("devices", { device_model: "W1" })).toEqual({ reason: "bad_field", field: expect.any(String) });
  expect(acceptSummary("devices", { device_id: "" })).toHaveProperty("reason");
});
