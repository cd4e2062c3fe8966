// @module-tag share
import { expect, test } from "vitest";
import { compareQueries } from "../../reference/queries/compare-queries.ts";
import { chooseCount } from "../../support/depth.ts";

/** `npm run drill -- queries` runs ten times as many queries with its own seed. */
const RUNS = chooseCount(40, 500);

test("the engine and the reference agree on random queries over random data", () => {
  expect(compareQueries(RUNS, 20_260_302)).toEqual({ runs: RUNS, problem: undefined });
});
