import fc from "fast-check";
import { expect, test } from "vitest";
import { contract } from "../../../functions/management/list-teams.ts";

/** The allowed characters by code point: letters including accented Latin ones, digits, whitespace, punctuation. */
const ranges = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0xff],
  [0x09, 0x0d],
  [0x2000, 0x200a],
] as const;
const single = [..."(),/:'|&_-’"].map((mark) => mark.codePointAt(0) ?? 0);
const spaces = [0x20, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff];
const isAllowed = (code: number) =>
  ranges.some(([first, last]) => code >= first && code <= last) || [...single, ...spaces].includes(code);
const isTaken = (search_query: string) => contract.query.safeParse({ search_query }).success;

test("search_query accepts exactly the documented characters [management-interface-04] [management-interface-05] [management-interface-06]", () => {
  const codes = Array.from({ length: 0x1_1000 }, (_, code) => code);
  expect(codes.filter((code) => isTaken(String.fromCodePoint(code)) !== isAllowed(code))).toEqual([]);
});

const allowed = fc.constantFrom(
  ...ranges.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at)),
  ...single,
  ...spaces,
);
const any = fc.oneof(
  { weight: 30, arbitrary: allowed },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 0x10ffff }) },
);

test("search_query accepts at most 80 characters and no other character among them [limits-14]", () => {
  fc.assert(
    fc.property(fc.array(any, { maxLength: 90 }), (codes) => {
      const text = String.fromCodePoint(...codes);
      expect(isTaken(text)).toBe(codes.length <= 80 && codes.every(isAllowed));
    }),
    { numRuns: 500 },
  );
});
