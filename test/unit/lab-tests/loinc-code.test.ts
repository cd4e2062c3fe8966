import fc from "fast-check";
import { expect, test } from "vitest";
import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { isLoincCode, loincNumber } from "../../../lib/domain/lab-tests/loinc-code.ts";

const codes = packed.results.map(({ loinc }) => loinc);

test("every LOINC code of the catalogue has a valid check digit", () => {
  expect(codes.length).toBeGreaterThan(150);
  expect(codes.filter((code) => !isLoincCode(code))).toEqual([]);
});

test("a code with one changed digit is invalid", () => {
  const altered = fc.tuple(fc.constantFrom(...codes), fc.nat(6), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(altered, ([code, place, by]) => {
      const at = place % code.length;
      fc.pre(code[at] !== "-");
      const digit = (Number(code[at]) + by) % 10;
      expect(isLoincCode(code.slice(0, at) + digit + code.slice(at + 1))).toBe(false);
    }),
    { numRuns: 300 },
  );
});

test.each(["", "-7", "2345", "2345-", "2345-x", "12345678-9", " 2345-7", "2345-7\n"])(
  "%j is not a LOINC code",
  (text) => {
    expect(isLoincCode(text)).toBe(false);
  },
);

test("codes map to distinct integers", () => {
  expect(loincNumber("2345-7")).toBe(23457);
  expect(new Set(codes.map(loincNumber)).size).toBe(codes.length);
});
