// @module-tag share
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WriteItem } from "../../../lib/store/transaction.ts";
import { chooseCount } from "../../support/depth.ts";
import { weaken } from "../../unit/erasure/races/weakened-conditions.ts";
import { replayTrace } from "./replay-trace.ts";
import { TurnsStage } from "./turns-stage.ts";
import { TurnsTrace } from "./turns-trace.ts";

const RUNS = chooseCount(2, 50, 300);
/** Far more runs than any sabotage needs. */
const MOST_RUNS = 300;

let stage: TurnsStage;
beforeAll(async () => {
  stage = await TurnsStage.open();
});
afterAll(() => stage.close());

async function replay(seed: number) {
  const trace = new TurnsTrace(seed, stage);
  return replayTrace(trace.model, await trace.run());
}

test("the model of delivery turns allows each step of the real consumers", async () => {
  let steps = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const result = await replay(seed);
    expect(result.refused, `seed ${seed}`).toBe(undefined);
    steps += result.steps;
  }
  expect(steps).toBeGreaterThan(10 * RUNS);
});

/** Drops a condition, or a part of it, of the updates that begin with this expression. */
const weakenUpdate = (begin: string, part?: string) => (item: WriteItem) =>
  item.Update?.UpdateExpression?.startsWith(begin) ? weaken(item, part) : item;
const alterUpdate = (begin: string, values: Record<string, unknown>) => (item: WriteItem) => {
  const { Update } = item;
  if (!Update?.UpdateExpression?.startsWith(begin)) return item;
  const ExpressionAttributeValues = { ...Update.ExpressionAttributeValues, ...values };
  return { Update: { ...Update, ExpressionAttributeValues } };
};
const LONG_AGO = new Date(0).toISOString();
const everyEvent = new Set(Array.from({ length: 5 }, (_, place) => `evt_${place}`));

describe("the model refuses consumers whose store", { tags: "deep" }, () => {
  test.each([
    ["lends a held lease", weakenUpdate("SET fence = if_not_exists")],
    [
      "lends a lease to the same first attempt again",
      weakenUpdate(
        "SET fence = if_not_exists",
        " AND (attribute_not_exists(first_attempt) OR first_attempt <> :first)",
      ),
    ],
    ["passes on a lease that another worker holds", weakenUpdate("SET fence = :next")],
    [
      "takes all off the waiting list as it passes a lease on",
      alterUpdate("SET fence = :next", { ":gone": everyEvent }),
    ],
    ["releases the lease of another worker", weakenUpdate("SET lease_until", "fence = :fence")],
    ["ends a quarantine at once", alterUpdate("SET lease_until = :until, quarantine", { ":until": LONG_AGO })],
    ["lets a delivery wait for a released lease", weakenUpdate("ADD waiting", "lease_until > :now AND ")],
  ])("%s", async (_, tamper) => {
    stage.tamper = tamper;
    await expectRefusal();
  });

  test("forgets the deliveries that wait", async () => {
    stage.isForgetful = true;
    await expectRefusal();
  });
});

async function expectRefusal(): Promise<void> {
  let refused: string | undefined;
  let seed = 0;
  try {
    while (refused === undefined && seed < MOST_RUNS) refused = (await replay(++seed)).refused;
  } finally {
    stage.tamper = (item) => item;
    stage.isForgetful = false;
  }
  expect(refused).toContain("REFUSED");
}
