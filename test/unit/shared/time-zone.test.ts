import { expect, test } from "vitest";
import { isTimeZone, isTimeZoneName, utcOffsetAt } from "../../../lib/domain/shared/time-zone.ts";

test.each([
  ["UTC", "2026-01-01T00:00:00Z", 0],
  ["Europe/Berlin", "2026-03-29T00:59:59Z", 3_600],
  ["Europe/Berlin", "2026-03-29T01:00:00Z", 7_200],
  ["America/New_York", "2026-11-01T05:59:59Z", -4 * 3_600],
  ["America/New_York", "2026-11-01T06:00:00Z", -5 * 3_600],
  ["Asia/Kolkata", "2026-01-01T00:00:00Z", 19_800],
  ["Pacific/Marquesas", "2026-01-01T00:00:00Z", -34_200],
  ["Pacific/Kiritimati", "2026-01-01T00:00:00Z", 50_400],
  // Liberia used an offset with seconds.
  ["Africa/Monrovia", "1971-01-01T00:00:00Z", -2_670],
])("%s is at %s offset from UTC by %d seconds", (zone, at, expected) => {
  expect(utcOffsetAt(zone, Date.parse(at))).toBe(expected);
});

test("a name of a time zone is one of the IANA database in any case, and no offset", () => {
  for (const name of ["UTC", "Europe/Berlin", "europe/berlin", "Asia/Calcutta", "Etc/GMT+5", "EST5EDT"])
    expect([name, isTimeZoneName(name)]).toEqual([name, true]);
  for (const other of ["+05:30", "-0500", "+01", "Moon/Tycho", ""])
    expect([other, isTimeZoneName(other)]).toEqual([other, false]);
  expect(isTimeZone("+05:30")).toBe(true);
});
