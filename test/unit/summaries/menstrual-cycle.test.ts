import { describe, expect, test } from "vitest";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";

const period = { period_start: "2026-01-03" };

describe("a menstrual cycle", () => {
  test("is identified by the first day of the period", () => {
    const cycle = { ...period, period_end: "2026-01-07", cycle_end: "2026-01-30" };
    expect(acceptValidSummary("menstrual_cycle", cycle)).toMatchObject({ key: "2026-01-03", fields: cycle });
  });

  test("has empty lists for absent observations", () => {
    expect(acceptValidSummary("menstrual_cycle", period).fields).toMatchObject({
      period_end: null,
      cycle_end: null,
      is_predicted: false,
      menstrual_flow: [],
      basal_body_temperature: [],
    });
  });

  test("may lie in the future when it is a prediction", () => {
    const ahead = { period_start: "2026-03-01", period_end: "2026-03-05" };
    expect(acceptSummary("menstrual_cycle", ahead)).toEqual({ reason: "in_the_future", field: expect.any(String) });
    expect(acceptValidSummary("menstrual_cycle", { ...ahead, is_predicted: true })).not.toHaveProperty("span");
  });

  test.each([
    [{}, "bad_time"],
    [{ period_start: "2026-02-30" }, "bad_time"],
    [{ period_start: "1800-02-03" }, "bad_time"],
    [{ period_start: "2026-01-03T00:00:00Z" }, "bad_time"],
    [{ ...period, period_end: "2026-01-02" }, "end_before_start"],
    [{ ...period, cycle_end: "2026-01-02" }, "end_before_start"],
    [{ period_start: "2025-12-01" }, "out_of_bounds"],
    [{ period_start: "2025-12-01", is_predicted: true }, "out_of_bounds"],
  ])("rejects %j: %s", (given, reason) => {
    expect(acceptSummary("menstrual_cycle", given)).toEqual({ reason, field: expect.any(String) });
  });
});
