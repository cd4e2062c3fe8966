import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  dateToDay,
  dayToDate,
  groupDays,
  instantsOfDays,
  localDayConverter,
} from "../../../lib/domain/shared/local-day.ts";

const HOUR_MS = 3_600_000;
const HOUR_S = 3_600;
const UNKNOWN = Number.NaN;

/** The date of an instant (ISO 8601) in a time zone, or by an offset. */
const date = (zone: string, instant: string, offsetS = UNKNOWN) =>
  dayToDate(localDayConverter(zone)(Date.parse(instant), offsetS));

describe("samples without an offset belong to the day of the user's time zone", () => {
  test.each([
    ["2026-03-28T22:59:59.999Z", "2026-03-28"],
    ["2026-03-28T23:00:00.000Z", "2026-03-29"],
    ["2026-03-29T21:59:59.999Z", "2026-03-29"],
    ["2026-03-29T22:00:00.000Z", "2026-03-30"],
  ])("in spring, when a day has 23 hours: %s is on %s", (instant, expected) => {
    expect(date("Europe/Berlin", instant)).toBe(expected);
  });

  test.each([
    ["2026-10-24T21:59:59.999Z", "2026-10-24"],
    ["2026-10-24T22:00:00.000Z", "2026-10-25"],
    ["2026-10-25T22:59:59.999Z", "2026-10-25"],
    ["2026-10-25T23:00:00.000Z", "2026-10-26"],
  ])("in autumn, when a day has 25 hours: %s is on %s", (instant, expected) => {
    expect(date("Europe/Berlin", instant)).toBe(expected);
  });

  test.each([
    ["2026-03-29", 23],
    ["2026-03-30", 24],
    ["2026-10-25", 25],
  ])("%s has %i hours in Berlin", (day, hours) => {
    const first = Date.parse(day) - 24 * HOUR_MS;
    const all = Array.from({ length: 72 }, (_, hour) => new Date(first + hour * HOUR_MS).toISOString());
    expect(all.filter((instant) => date("Europe/Berlin", instant) === day)).toHaveLength(hours);
  });
});

describe("samples with an offset", () => {
  test("belong to the day of their own offset", () => {
    const evening = "2026-05-01T23:30:00Z";
    expect(date("UTC", evening, 2 * HOUR_S)).toBe("2026-05-02");
    expect(date("Pacific/Kiritimati", evening, -5 * HOUR_S)).toBe("2026-05-01");
    expect(date("Europe/Berlin", evening, 0)).toBe("2026-05-01");
  });

  test("use the user's time zone for an offset that no clock shows", () => {
    const evening = "2026-05-01T23:30:00Z";
    expect(date("Europe/Berlin", evening, -20 * HOUR_S)).toBe("2026-05-02");
    expect(date("UTC", evening, 23 * HOUR_S)).toBe("2026-05-01");
  });

  test("may belong to two days at the same time on a flight to the east", () => {
    expect(date("UTC", "2026-05-01T20:00:00Z", 2 * HOUR_S)).toBe("2026-05-01");
    expect(date("UTC", "2026-05-01T20:01:00Z", 9 * HOUR_S)).toBe("2026-05-02");
  });
});

test("the instants of days cover these days in all time zones", () => {
  const zones = fc.constantFrom("Pacific/Kiritimati", "Etc/GMT+12", "Europe/Berlin", "Asia/Kathmandu");
  const offsets = fc.option(fc.integer({ min: -24 * HOUR_S, max: 24 * HOUR_S }), { nil: UNKNOWN });
  const times = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2030, 0, 1) });
  fc.assert(
    fc.property(zones, offsets, times, (zone, offsetS, ms) => {
      const day = localDayConverter(zone)(ms, offsetS);
      const { fromMs, toMs } = instantsOfDays(day, day);
      expect(fromMs <= ms && ms <= toMs).toBe(true);
    }),
  );
});

test("days are integers that convert to dates", () => {
  expect(dateToDay("1970-01-02")).toBe(1);
  expect(dateToDay("1969-12-31")).toBe(-1);
  expect(dayToDate(dateToDay("2028-02-29"))).toBe("2028-02-29");
});

test("nearby days share one interval", () => {
  expect(groupDays([], 7)).toEqual([]);
  expect(groupDays([20, 3, 10, 28], 7)).toEqual([
    { first: 3, last: 10 },
    { first: 20, last: 20 },
    { first: 28, last: 28 },
  ]);
});
