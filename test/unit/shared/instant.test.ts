import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { formatInstant, parseInstant } from "../../../lib/domain/shared/instant.ts";

const yardstick = z.iso.datetime({ offset: true });
const instants = fc.date({
  min: new Date("1900-01-01T00:00:00Z"),
  max: new Date("2199-01-01T00:00:00Z"),
  noInvalidDate: true,
});
const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, "0"));

describe("parseInstant", () => {
  test("reads an offset and keeps it", () => {
    expect(parseInstant("2026-01-02T03:04:05+02:00")).toEqual({ ms: Date.UTC(2026, 0, 2, 1, 4, 5), offsetS: 7_200 });
    expect(parseInstant("2026-01-02T03:04:05.250-03:30")).toEqual({
      ms: Date.UTC(2026, 0, 2, 6, 34, 5, 250),
      offsetS: -12_600,
    });
    expect(parseInstant("2026-01-02T03:04+00:00")?.offsetS).toBe(0);
  });

  test.each(["2026-01-02T03:04:05Z", "2026-01-02T03:04:05-00:00"])("reads %s as UTC with an unknown offset", (text) => {
    expect(parseInstant(text)).toEqual({ ms: Date.UTC(2026, 0, 2, 3, 4, 5), offsetS: null });
  });

  test("truncates fractions below a millisecond", () => {
    expect(parseInstant("2026-01-02T03:04:05.123987Z")?.ms).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 123));
    expect(parseInstant("2026-01-02T03:04:05.5Z")?.ms).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 500));
  });

  test.each([
    "2026-01-02T03:04:05",
    "2026-01-02",
    "2026-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-02T24:00:00Z",
    "2026-01-02T03:04:60Z",
    "2026-01-02 03:04:05Z",
    "2026-01-02T03:04:05+25:00",
    "0026-01-02T03:04:05Z",
    " 2026-01-02T03:04:05Z",
    "",
    1_767_322_800_000,
    null,
  ])("rejects %j", (text) => {
    expect(parseInstant(text)).toBeUndefined();
  });

  test("accepts the same date-times as the schema library", () => {
    const texts = fc
      .tuple(
        fc.integer({ min: 1900, max: 2999 }),
        twoDigits(13),
        twoDigits(32),
        twoDigits(25),
        twoDigits(61),
        twoDigits(61),
      )
      .chain(([y, mo, d, h, mi, s]) =>
        fc.constantFrom("", "Z", "+00:00", "-09:30", "+24:00").map((zone) => `${y}-${mo}-${d}T${h}:${mi}:${s}${zone}`),
      );
    fc.assert(
      fc.property(texts, (text) => (parseInstant(text) !== undefined) === yardstick.safeParse(text).success),
      { numRuns: 3_000 },
    );
  });

  test("reads back every output of formatInstant", () => {
    fc.assert(fc.property(instants, (date) => parseInstant(formatInstant(date.getTime()))?.ms === date.getTime()));
  });
});

describe("formatInstant", () => {
  test("writes UTC with an offset, and milliseconds only when they are not zero", () => {
    expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5))).toBe("2026-01-02T03:04:05+00:00");
    expect(formatInstant(Date.UTC(2026, 0, 2, 3, 4, 5, 40))).toBe("2026-01-02T03:04:05.040+00:00");
  });
});
