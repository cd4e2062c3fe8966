import { expect, test } from "vitest";
import { compareQueries } from "../../reference/aggregation/agreement.ts";

/** `npm run drill -- queries` asks ten times as many, with a seed of its own. */
const RUNS = 500;

test("the engine answers random queries over random data as the reference does", () => {
  expect(compareQueries(RUNS, 20_260_302)).toEqual({ runs: RUNS, problem: undefined });
});
