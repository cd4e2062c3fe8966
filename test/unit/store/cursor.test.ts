import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { decodeCursor, encodeCursor } from "../../../lib/store/cursor.ts";

const position = z.tuple([z.string(), z.number()]);

describe("a cursor", () => {
  test("decodes to its position for its own query", () => {
    fc.assert(
      fc.property(fc.string(), fc.integer(), fc.string(), (name, at, query) => {
        expect(decodeCursor(encodeCursor([name, at], query), query, position)).toEqual([name, at]);
      }),
    );
  });

  test("is invalid for another query", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (query, other) => {
        fc.pre(query !== other);
        expect(decodeCursor(encodeCursor(["a", 1], query), other, position)).toBeUndefined();
      }),
    );
  });

  test("is invalid after one changed character", () => {
    const cursor = encodeCursor(["bucket#oura", 1_767_323_045_000], "u1|steps");
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(..."AZaz09-_="), (at, letter) => {
        fc.pre(cursor[at] !== letter);
        const altered = cursor.slice(0, at) + letter + cursor.slice(at + 1);
        expect(decodeCursor(altered, "u1|steps", position)).toBeUndefined();
      }),
    );
  });

  test.each(["", "a", "🙂", "x".repeat(2_000)])("is not %j", (text) => {
    expect(decodeCursor(text, "query", position)).toBeUndefined();
  });

  test("is URL-safe", () => {
    const cursor = encodeCursor(["ü?&=/+", -1], "query");
    expect(encodeURIComponent(cursor)).toBe(cursor);
  });

  test("is invalid with a position of another shape", () => {
    expect(decodeCursor(encodeCursor([1, 2], "query"), "query", position)).toBeUndefined();
  });
});
