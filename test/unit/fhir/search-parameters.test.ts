import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toDateTime, toEffective } from "../../../lib/domain/fhir/effective.ts";
import { meetsDates, parseDateCondition, startsWithin } from "../../../lib/domain/fhir/search-date.ts";
import { parsePatient } from "../../../lib/domain/fhir/search-query.ts";
import { matchesTokens, parseTokens } from "../../../lib/domain/fhir/search-token.ts";

const range = (text: string) => {
  const { fromMs = Number.NaN, toMs = Number.NaN } = parseDateCondition(text) ?? {};
  return [fromMs, toMs].map((ms) => new Date(ms).toJSON());
};

describe("a date parameter", () => {
  test.each([
    ["2024", "2024-01-01T00:00:00.000Z", "2024-12-31T23:59:59.999Z"],
    ["2024-02", "2024-02-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z", "2024-02-29T23:59:59.999Z"],
    ["ge2024-02-29T10:30", "2024-02-29T10:30:00.000Z", "2024-02-29T10:30:59.999Z"],
    ["lt2024-02-29T10:30:15+02:00", "2024-02-29T08:30:15.000Z", "2024-02-29T08:30:15.999Z"],
    ["2024-02-29T10:30:15 02:00", "2024-02-29T08:30:15.000Z", "2024-02-29T08:30:15.999Z"],
    ["2024-02-29T10:30:15.5Z", "2024-02-29T10:30:15.500Z", "2024-02-29T10:30:15.599Z"],
    ["2024-02-29T10:30:15.123456Z", "2024-02-29T10:30:15.123Z", "2024-02-29T10:30:15.123Z"],
  ])("%s covers the range of its precision", (text, from, to) => {
    expect(range(text)).toEqual([from, to]);
  });

  test.each([
    "",
    "24",
    "2024-2",
    "2024-13",
    "2024-02-30",
    "2024-02-29T25:00",
    "ap2024",
    "ne2024",
    "1899",
    "9999",
    "2024-02-29T10",
  ])("is not %j", (text) => {
    expect(parseDateCondition(text)).toBeUndefined();
  });

  // The definitions of FHIR R4 for a period from 06:00:00 to 06:05:00.
  test.each([
    ["eq2026-05-01T06:05", false],
    ["ge2026-05-01T06:05", false],
    ["ge2026-05-01T06:04", true],
    ["gt2026-05-01T06:04", true],
    ["gt2026-05-01T06:05", false],
    ["le2026-05-01T06:00", false],
    ["le2026-05-01T06:01", true],
    ["le2026-05-01T06", undefined],
    ["lt2026-05-01T06:01", true],
    ["lt2026-05-01T06:00", false],
  ])("%s includes a period: %s", (text, isIncluded) => {
    const parsed = parseDateCondition(text);
    const period = { fromMs: Date.UTC(2026, 4, 1, 6, 0), toMs: Date.UTC(2026, 4, 1, 6, 5) };
    expect(parsed && meetsDates([parsed], period)).toBe(isIncluded);
  });

  test("never excludes by start what it includes by range", () => {
    const instant = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
    const length = fc.integer({ min: 0, max: 86_400_000 });
    const prefix = fc.constantFrom("eq", "ge", "gt", "le", "lt");
    const conditions = fc.array(fc.tuple(prefix, instant), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(conditions, instant, length, (given, startMs, lengthMs) => {
        const parsed = given.flatMap(([sign, ms]) => parseDateCondition(`${sign}${new Date(ms).toJSON()}`) ?? []);
        expect(parsed).toHaveLength(given.length);
        const observed = { fromMs: startMs, toMs: startMs + lengthMs };
        const starts = startsWithin(parsed, 86_400_000);
        if (meetsDates(parsed, observed)) expect(starts.fromMs <= startMs && startMs <= starts.toMs).toBe(true);
      }),
    );
  });
});

describe("a token parameter", () => {
  const coding = { system: "http://loinc.org", code: "8867-4" };

  test.each([
    ["8867-4", true],
    ["http://loinc.org|8867-4", true],
    ["http://loinc.org|", true],
    ["|8867-4", false],
    ["urn:other|8867-4", false],
    ["1,2,8867-4", true],
    ["8867", false],
  ])("%s matches a LOINC code: %s", (text, isMatch) => {
    expect(matchesTokens(parseTokens(text) ?? [], [coding])).toBe(isMatch);
  });

  test("may contain escaped separators", () => {
    expect(parseTokens(String.raw`a\,b\|c|d\,e,f`)).toEqual([{ system: "a,b|c", code: "d,e" }, { code: "f" }]);
  });

  test.each(["", "|", "a|b|c", "a,", "a,,b"])("is not %j", (text) => {
    expect(parseTokens(text)).toBeUndefined();
  });
});

test("a patient is an id, a relative or an absolute reference", () => {
  const id = "11111111-1111-4111-8111-111111111111";
  for (const text of [id, `Patient/${id}`, `https://host/fhir/Patient/${id.toUpperCase()}`])
    expect(parsePatient(text)).toBe(id);
  for (const text of ["", "Patient/", `Observation/${id}`, `${id}0`, `Patient/${id}/_history/1`])
    expect(parsePatient(text)).toBeUndefined();
});

test("instants keep their local time if the offset is known and has no seconds", () => {
  const ms = Date.parse("2026-05-01T06:00:00.250Z");
  expect(toDateTime(ms, 7_200)).toBe("2026-05-01T08:00:00.250+02:00");
  expect(toDateTime(ms, -12_600)).toBe("2026-05-01T02:30:00.250-03:30");
  for (const offset of [null, 0, 7_201]) expect(toDateTime(ms, offset)).toBe("2026-05-01T06:00:00.250+00:00");
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: -86_399, max: 86_399 }), (at, offset) => {
      expect(Date.parse(toDateTime(at, offset))).toBe(at);
    }),
  );
  expect(toEffective(ms, ms)).toEqual({ effectiveDateTime: "2026-05-01T06:00:00.250+00:00" });
});
