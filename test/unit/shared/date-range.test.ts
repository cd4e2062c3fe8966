import { describe, expect, test } from "vitest";
import { dateRange, parseBoundary } from "../../../lib/domain/shared/date-range.ts";

const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

describe("a boundary of a date range", () => {
  test("as a date means its first instant as start and its last instant as end [timeseries-04] [timeseries-05]", () => {
    expect(iso(parseBoundary("2026-01-02", "start"))).toBe("2026-01-02T00:00:00.000Z");
    expect(iso(parseBoundary("2026-01-02", "end"))).toBe("2026-01-02T23:59:59.999Z");
  });

  test.each([
    ["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02 03:04:05", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05.000Z"],
    ["2026-01-02T03:04:05 02:00", "2026-01-02T01:04:05.000Z"],
    ["2026-01-02T03:04:05-05:00", "2026-01-02T08:04:05.000Z"],
  ])("as the date-time %s is that instant, as start and as end", (text, instant) => {
    expect(iso(parseBoundary(text, "start"))).toBe(instant);
    expect(iso(parseBoundary(text, "end"))).toBe(instant);
  });

  test.each(["", "2026", "2026-02-30", "2026-13-01", "02.01.2026", "today", "1767323045", "2026-01-02T25:00:00Z"])(
    "can not be %j",
    (text) => expect(parseBoundary(text, "start")).toBeUndefined(),
  );
});

describe("a date range", () => {
  test("has no end without an end parameter", () => {
    for (const end of [undefined, ""]) {
      expect(dateRange("2026-01-02", end)).toEqual({ fromMs: Date.UTC(2026, 0, 2), toMs: Date.UTC(2999, 11, 31) });
    }
  });

  test("names its invalid boundary", () => {
    expect(dateRange("soon", "later")).toBe("start_date");
    expect(dateRange("2026-01-02", "later")).toBe("end_date");
  });
});
