import { describe, expect, test } from "vitest";
import {
  createZoneCalendar,
  formatDay,
  isWeekend,
  timeGrid,
  weekdayOf,
} from "../../../../lib/simulators/demo/zone-calendar.ts";

const dayNumber = (date: string): number => Date.parse(`${date}T00:00Z`) / 86_400_000;
const instant = (zone: string, date: string, minute: number): string =>
  new Date(createZoneCalendar(zone).instantAt(dayNumber(date), minute)).toISOString();

test.each([
  ["UTC", "2026-07-01", 90, "2026-07-01T01:30:00.000Z"],
  ["Europe/Berlin", "2026-01-10", 0, "2026-01-09T23:00:00.000Z"],
  ["Europe/Berlin", "2026-07-10", 0, "2026-07-09T22:00:00.000Z"],
  ["Asia/Kathmandu", "2026-07-10", 0, "2026-07-09T18:15:00.000Z"],
  ["America/New_York", "2026-03-08", 180, "2026-03-08T07:00:00.000Z"],
  ["Europe/Berlin", "2026-01-10", -60, "2026-01-09T22:00:00.000Z"],
])("the calendar of %s maps %s, minute %d, to %s", (zone, date, minute, expected) => {
  expect(instant(zone, date, minute)).toBe(expected);
});

test("the calendar moves a time that spring skips an hour later", () => {
  expect(instant("Europe/Berlin", "2026-03-29", 150)).toBe("2026-03-29T01:30:00.000Z");
});

test("the calendar starts a day without midnight at its first instant", () => {
  expect(instant("America/Santiago", "2025-09-07", 0)).toBe("2025-09-07T04:00:00.000Z");
  expect(createZoneCalendar("America/Santiago").dayAt(Date.UTC(2025, 8, 7, 4))).toBe(dayNumber("2025-09-07"));
});

describe.each(["UTC", "Europe/Berlin", "America/Santiago", "Australia/Lord_Howe", "Pacific/Chatham"])(
  "the calendar of %s",
  (zone) => {
    const { instantAt, dayAt } = createZoneCalendar(zone);

    test("assigns each instant to the day between whose midnights it lies", () => {
      for (let day = dayNumber("2025-01-01"); day < dayNumber("2026-12-31"); day++) {
        const [startMs, endMs] = [instantAt(day, 0), instantAt(day + 1, 0)];
        expect([dayAt(startMs - 1), dayAt(startMs), dayAt(endMs - 1)]).toEqual([day - 1, day, day]);
      }
    });
  },
);

test("the calendar names days and their weekdays", () => {
  expect(formatDay(dayNumber("2026-02-28") + 1)).toBe("2026-03-01");
  expect([weekdayOf(dayNumber("2026-01-05")), weekdayOf(dayNumber("2026-01-11"))]).toEqual([0, 6]);
  expect([isWeekend(dayNumber("2026-01-09")), isWeekend(dayNumber("2026-01-10"))]).toEqual([false, true]);
});

test("a time grid contains the multiples of its step from the first instant until before the last", () => {
  expect(timeGrid(7, 20, 5)).toEqual([10, 15]);
  expect(timeGrid(10, 21, 5)).toEqual([10, 15, 20]);
  expect(timeGrid(30, 20, 5)).toEqual([]);
});
