// @module-tag deep
import { expect, test } from "vitest";
import { withoutAccepted } from "./accepted-changes.ts";
import { compareItems } from "./formats/compare-versions.ts";
import { recordStory } from "./formats/record-formats.ts";
import { readFormatsBefore } from "./version-before.ts";

test("this version writes every kind of item as the version before reads it", { timeout: 3_000_000 }, async () => {
  const { items: before } = readFormatsBefore().recorded;
  const { items: next } = await recordStory();
  expect(Object.keys(before).length).toBeGreaterThan(80);
  expect(withoutAccepted(compareItems({ before, next }))).toEqual([]);
});
