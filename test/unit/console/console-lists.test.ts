import { describe, expect, test } from "vitest";
import { readAllPages } from "../../../web/console/api/all-pages.ts";
import { wordsOf } from "../../../web/console/api/problem-words.ts";
import { sampleCount } from "../../../web/console/views/events/sample-count.ts";

describe("a list of several pages", () => {
  const pages = [["a", "b"], [], ["c"]];
  const read = async (cursor = "0") => {
    const next = Number(cursor) + 1;
    return { rows: pages[Number(cursor)] ?? [], next_cursor: next < pages.length ? String(next) : null };
  };

  test("is read to its end, also over an empty page", async () => {
    expect(await readAllPages(read)).toEqual({ rows: ["a", "b", "c"], isCut: false });
  });

  test("says that there is more than it has read", async () => {
    expect(await readAllPages(read, 2)).toEqual({ rows: ["a", "b"], isCut: true });
  });
});

test.each([
  ["The team has no provider.", "The team has no provider."],
  [[{ loc: ["body", "key"], msg: "Too big: expected string to have <=200 characters" }], "is too long: at most 200"],
  [[{ loc: ["body", "name"], msg: "Too small: expected string to have >=1 characters" }], "must not be empty"],
  [[{ loc: ["body"], msg: "Invalid input: expected object, received undefined" }], "A value is missing"],
  [[{ loc: ["body", "role"], msg: 'Invalid option: expected one of "admin"|"reader"' }], "is one of admin, reader"],
  [[{ loc: ["query", "at"], msg: "Before start_at" }], "Before start_at"],
])("the answer %j is said in words", (detail, words) => {
  expect(wordsOf(detail)).toContain(words);
});

test("an answer without words has none", () => {
  expect([wordsOf(undefined), wordsOf({ error: 1 })]).toEqual([undefined, undefined]);
});

test.each([
  [{ data: [1] }, "1 sample"],
  [{ data: [1, 2] }, "2 samples"],
  [{ data: [] }, "0 samples"],
])("the data %j are %s", (data, words) => expect(sampleCount(data)).toBe(words));
