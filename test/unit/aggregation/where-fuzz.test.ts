import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countSteps, fuzzWhere, hardInputs } from "../../reference/aggregation/where-fuzz.ts";

/** `npm run drill -- queries` gives the parser many more. */
const RUNS = 5_000;

describe("conditions that anyone may send", () => {
  test("are read as the grammar has them or refused with the place", () => {
    const found = fuzzWhere(RUNS, 20_260_301);
    expect(found.failed, fc.defaultReportMessage(found)).toBe(false);
  });

  test.each(Object.entries(hardInputs))("are read in steps that grow with their length: %s", async (_, input) => {
    await countSteps(input(450));
    const [short, long] = [await countSteps(input(450)), await countSteps(input(1_800))];
    expect(short).toBeGreaterThan(0);
    expect(long).toBeLessThanOrEqual(5 * short);
    expect(long).toBeLessThanOrEqual(20 * 1_800);
  });
});
