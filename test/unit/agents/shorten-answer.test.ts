import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortenAnswer, type ToolAnswer } from "../../../lib/domain/agents/shorten-answer.ts";

const within = (bytes: number) => (answer: ToolAnswer) => JSON.stringify(answer).length <= bytes;
const rest = "Call again.";

describe("a list", () => {
  const shortening = { kind: "list", of: "items" } as const;

  test("keeps as many leading items as fit, and counts the others", () => {
    const items = fc.array(fc.string({ maxLength: 60 }), { maxLength: 80 });
    fc.assert(
      fc.property(items, fc.integer({ min: 120, max: 2_000 }), (list, bytes) => {
        const data = { items: list, next_cursor: "c" };
        const fits = within(bytes);
        const answer = shortenAnswer(data, { shortening, rest }, fits);
        if (answer === undefined) {
          expect(fits({ data: { items: list.slice(0, 1) }, left_out: list.length - 1, reduction: null, rest })).toBe(
            false,
          );
          return;
        }
        const kept = answer.data.items as string[];
        expect(fits(answer)).toBe(true);
        expect([kept, answer.left_out]).toEqual([list.slice(0, kept.length), list.length - kept.length]);
        // The complete list has a cursor too, so it may be longer than all of its items.
        if (answer.left_out < 2) return;
        const longer = { ...answer, data: { items: list.slice(0, kept.length + 1) }, left_out: answer.left_out - 1 };
        expect([fits(longer), answer.rest, "next_cursor" in answer.data]).toEqual([false, rest, false]);
      }),
    );
  });

  test("is undefined if its first item does not fit", () => {
    expect(shortenAnswer({ items: ["a".repeat(500)] }, { shortening, rest }, within(200))).toBeUndefined();
  });
});

test("an answer that has no parts is complete or undefined", () => {
  const tool = { shortening: { kind: "whole" } as const, rest };
  expect(shortenAnswer({ id: "a" }, tool, within(200))).toEqual({
    data: { id: "a" },
    left_out: 0,
    reduction: null,
    rest: null,
  });
  expect(shortenAnswer({ id: "a".repeat(300) }, tool, within(200))).toBeUndefined();
});

test("tables of a query keep their first rows in all columns and explanations", () => {
  const column = Array.from({ length: 50 }, (_, row) => row);
  const results = [{ table: { a: column, b: column }, explanation: column }, { table: { c: [1, 2] } }];
  const answer = shortenAnswer({ results }, { shortening: { kind: "rows" }, rest }, within(300));
  const [first, second] = (answer?.data.results ?? []) as {
    table: Record<string, unknown[]>;
    explanation?: unknown[];
  }[];
  const kept = first?.explanation?.length ?? 0;
  expect(kept).toBeGreaterThan(2);
  expect(first).toEqual({
    table: { a: column.slice(0, kept), b: column.slice(0, kept) },
    explanation: column.slice(0, kept),
  });
  expect([second, answer?.left_out]).toEqual([{ table: { c: [1, 2] } }, 50 - kept]);
});

describe("samples", () => {
  const sample = (minute: number, more: object = {}) => ({
    ...{ id: null, timezone_offset: 3_600, unit: "mmHg", type: null },
    start: new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString(),
    ...more,
  });
  const reduce = (data: object[], bytes: number) => {
    const groups = { watch: [{ source: { provider: "watch" }, data }] };
    return shortenAnswer({ groups, next_cursor: "c" }, { shortening: { kind: "samples" }, rest }, within(bytes));
  };

  const rowsOf = (answer: ToolAnswer | undefined) => {
    const groups = (answer?.data.groups ?? {}) as Record<string, { data: object[] }[]>;
    return groups.watch?.[0]?.data ?? [];
  };

  test("become statistics of the shortest intervals that fit, for each measured field and type", () => {
    const pressures = Array.from({ length: 60 }, (_, minute) =>
      sample(minute, { systolic: 120 + minute, diastolic: 80 }),
    );
    const answer = reduce(pressures, 1_500);
    expect(answer).toMatchObject({
      ...{ left_out: 60, rest, data: { next_cursor: "c" } },
      reduction: { method: "interval_statistics", interval_seconds: 900, samples: 60, rows: 4 },
    });
    expect(rowsOf(answer)[1]).toEqual({
      ...{ start: "2026-05-01T00:15:00.000Z", end: "2026-05-01T00:30:00.000Z", type: null, unit: "mmHg", count: 15 },
      systolic: { min: 135, max: 149, mean: 142, sum: 2_130 },
      diastolic: { min: 80, max: 80, mean: 80, sum: 1_200 },
    });
    const kinds = ["ldl", "hdl"].flatMap((type) =>
      Array.from({ length: 9 }, (_, at) => sample(at, { type, value: 0.1 })),
    );
    const apart = rowsOf(reduce(kinds, 800));
    expect(apart).toMatchObject([
      { type: "ldl", count: 9, value: { sum: 0.9 } },
      { type: "hdl", count: 9 },
    ]);
  });

  test("of text are counted, and are undefined if no interval fits", () => {
    const notes = Array.from({ length: 40 }, (_, minute) => sample(minute, { value: "a".repeat(50) }));
    const answer = reduce(notes, 500);
    expect(JSON.stringify(answer?.data)).not.toContain("aaa");
    expect(reduce(notes, 100)).toBeUndefined();
  });
});
