import { describe, expect, test } from "vitest";
import { formatInstant, instantOf, isDate, zonedInstant } from "../../../web/console/parts/time.ts";

describe("the instant of a clock time", () => {
  test.each([
    ["2026-10-25T01:30", "Europe/Madrid", "2026-10-24T23:30:00.000Z"],
    ["2026-10-25T12:00", "Europe/Madrid", "2026-10-25T11:00:00.000Z"],
    ["2026-03-29T01:30", "Europe/Madrid", "2026-03-29T00:30:00.000Z"],
    ["2026-03-29T12:00", "Europe/Madrid", "2026-03-29T10:00:00.000Z"],
    ["2026-06-01T12:00", "Asia/Kolkata", "2026-06-01T06:30:00.000Z"],
    ["2026-06-01T12:00", "UTC", "2026-06-01T12:00:00.000Z"],
  ])("%s in %s is %s", (field, zone, instant) => expect(zonedInstant(field, zone)).toBe(instant));

  test("that the clocks show twice is the first, and that they skip is where they would have shown it", () => {
    expect(zonedInstant("2026-10-25T02:30", "Europe/Madrid")).toBe("2026-10-25T00:30:00.000Z");
    expect(zonedInstant("2026-03-29T02:30", "Europe/Madrid")).toBe("2026-03-29T01:30:00.000Z");
  });
});

test.each(["Australia/Sydney", "Pacific/Auckland", "America/New_York", "Europe/London", "Asia/Tehran", "Pacific/Apia"])(
  "each day of a year begins at midnight in %s",
  (zone) => {
    const first = Date.UTC(2026, 0, 1);
    for (let day = 0; day < 365; day++) {
      const date = new Date(first + day * 86_400_000).toISOString().slice(0, 10);
      expect(formatInstant(instantOf(date, zone), zone)).toBe(`${date} 00:00:00`);
    }
  },
);

test.each(["2026-13-45", "2026-02-29", "2026-2-3", "9999-12-31", "", "today", "2026-01-01T00:00:00Z"])(
  "%j is no date",
  (text) => expect(isDate(text)).toBe(false),
);

test.each(["2024-02-29", "2026-12-31"])("%s is a date", (text) => expect(isDate(text)).toBe(true));
