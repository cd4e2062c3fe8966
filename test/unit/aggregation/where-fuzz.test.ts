import { describe, expect, test } from "vitest";
import { countSteps } from "../../reference/aggregation/count-steps.ts";
import { fuzzWhere, hardInputs } from "../../reference/aggregation/where-fuzz.ts";

/** `npm run drill -- queries` gives the parser many more. */
const RUNS = 5_000;
/** Blocks of code that a character may cost; a parser that went back over the text would need hundreds. */
const STEPS_PER_CHARACTER = 25;

describe("conditions that anyone may send", () => {
  test("are read as the grammar has them or refused with the place", () => {
    expect(fuzzWhere(RUNS, 20_260_301)).toEqual({ runs: RUNS, problem: undefined });
  });

  test.each(Object.entries(hardInputs))("are read in steps that grow with their length: %s", async (_, input) => {
    for (const length of [450, 1_800]) {
      // The engine now and then loses counts, never adds any.
      const counts = await countSteps([input(length), input(length), input(length)]);
      expect(Math.max(...counts)).toBeGreaterThan(0);
      expect(Math.max(...counts)).toBeLessThanOrEqual(STEPS_PER_CHARACTER * length);
    }
  });
});
