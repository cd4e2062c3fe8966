import { describe, expect, test } from "vitest";
import { countParserSteps } from "../../reference/queries/count-parser-steps.ts";
import { adversarialInputs, fuzzWhere } from "../../reference/queries/fuzz-where.ts";

/** `npm run drill -- queries` feeds the parser many more conditions. */
const RUNS = 5_000;
/** Maximum code blocks per character. A parser that backtracks over the text needs hundreds. */
const STEPS_PER_CHARACTER = 25;

describe("untrusted conditions", () => {
  test("parse as the grammar defines, or fail with the position of the error", { tags: "deep" }, () => {
    expect(fuzzWhere(RUNS, 20_260_301)).toEqual({ runs: RUNS, problem: undefined });
  });

  test.each(Object.entries(adversarialInputs))(
    "parse in a number of steps proportional to their length: %s",
    { tags: "deep" },
    async (_, input) => {
      for (const length of [450, 1_800]) {
        // V8 sometimes loses block counts and never adds any.
        const counts = await countParserSteps([input(length), input(length), input(length)]);
        expect(Math.max(...counts)).toBeGreaterThan(0);
        expect(Math.max(...counts)).toBeLessThanOrEqual(STEPS_PER_CHARACTER * length);
      }
    },
  );
});
