import { describe, expect, test } from "vitest";
import { acceptSummary, acceptValidSummary } from "./accept-summary.ts";

const breakfast = { timestamp: "2026-01-02T23:30:00-05:00", name: "Late breakfast" };

describe("a meal", () => {
  test("is identified by the provider's id, else by its instant in UTC", () => {
    expect(acceptValidSummary("meal", { ...breakfast, provider_id: "m1" })).toMatchObject({
      key: "m1",
      providerId: "m1",
      fields: { provider_id: "m1" },
    });
    expect(acceptValidSummary("meal", breakfast)).toMatchObject({
      key: "2026-01-03T04:30:00+00:00",
      providerId: null,
      fields: { provider_id: "2026-01-03T04:30:00+00:00" },
    });
  });

  test("belongs to the user's local day unless the sender sets the day", () => {
    expect(acceptValidSummary("meal", breakfast).fields).toMatchObject({
      timestamp: "2026-01-03T04:30:00+00:00",
      calendar_date: "2026-01-02",
    });
    expect(acceptValidSummary("meal", { ...breakfast, calendar_date: "2026-01-03" }).fields).toMatchObject({
      calendar_date: "2026-01-03",
    });
  });

  test("has every nutrient or null, and no null fats", () => {
    const { macros } = acceptValidSummary("meal", { ...breakfast, macros: { protein: 12.5 } }).fields;
    expect(macros).toMatchObject({ protein: 12.5, carbs: null, fats: { saturated: null, total: null } });
    expect(acceptValidSummary("meal", { ...breakfast, data: { Tea: {} } }).fields).toMatchObject({
      macros: null,
      data: { Tea: { energy: null, macros: null, micros: null } },
    });
  });

  test("accepts unknown minerals and vitamins", () => {
    const micros = { minerals: { sodium: 1, boron: 2 }, vitamins: { vitamin_k2: null } };
    expect(acceptValidSummary("meal", { ...breakfast, micros }).fields.micros).toEqual({
      ...micros,
      trace_elements: null,
    });
  });

  test.each([
    [{ ...breakfast, name: undefined }, "bad_field"],
    [{ ...breakfast, timestamp: undefined }, "bad_time"],
    [{ ...breakfast, timestamp: "2026-01-02T08:00:00" }, "bad_time"],
    [{ ...breakfast, timestamp: "1600-01-02T08:00:00Z" }, "bad_time"],
    [{ ...breakfast, timestamp: "2026-01-11T00:00:01Z" }, "in_the_future"],
    [{ ...breakfast, timestamp: "2025-12-30T08:00:00Z" }, "out_of_bounds"],
    [{ ...breakfast, calendar_date: "2026-02-30" }, "bad_time"],
  ])("rejects %j: %s", (given, reason) => {
    expect(acceptSummary("meal", given)).toEqual({ reason, field: expect.any(String) });
  });
});
