// @module-tag share
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WriteItem } from "../../../lib/store/transaction.ts";
import { chooseCount } from "../../support/depth.ts";
import { weaken } from "../../unit/erasure/races/weakened-conditions.ts";
import { RelayFixture } from "../../unit/events/relay/relay-fixture.ts";
import { FeedTrace, feedModel } from "./feed-trace.ts";
import { replayTrace } from "./replay-trace.ts";

const RUNS = chooseCount(4, 100, 300);
/** Far more runs than any sabotage needs. */
const MOST_RUNS = 300;

let stage: RelayFixture;
beforeAll(async () => {
  stage = await RelayFixture.open();
});
afterAll(() => stage.close());

const replay = async (seed: number) => replayTrace(feedModel, await new FeedTrace(seed, stage).run());

test("the model of the outbox and the feed allows each step of the relay and the sweeper", {
  timeout: 1_800_000,
}, async () => {
  let steps = 0;
  for (let seed = 1; seed <= RUNS; seed++) {
    const result = await replay(seed);
    expect(result.refused, `seed ${seed}`).toBe(undefined);
    steps += result.steps;
  }
  expect(steps).toBeGreaterThan(10 * RUNS);
});

const isTail = ({ Put }: WriteItem) => Put?.Item?.sk === "last";
const isMark = ({ Update }: WriteItem) => Update?.UpdateExpression?.startsWith("SET #sequence") ?? false;
const sabotages: readonly (readonly [string, () => void])[] = [
  ["overwrites the end of the feed", () => change((item) => [isTail(item) ? weaken(item) : item])],
  ["appends events that have a sequence", () => change((item) => [isMark(item) ? weaken(item) : item])],
  ["appends events without their sequences", () => change((item) => (isMark(item) ? [] : [item]))],
  [
    "publishes after it appended",
    () => {
      stage.bus.isHeld = true;
    },
  ],
];
const change = (by: (item: WriteItem) => readonly WriteItem[]) => {
  stage.tamper = (items) => items.flatMap(by);
};

describe("the model refuses a relay that", { tags: "deep" }, () => {
  test.each(sabotages)("%s", async (_, sabotage) => {
    sabotage();
    let refused: string | undefined;
    try {
      for (let seed = 1; refused === undefined && seed <= MOST_RUNS; seed++) refused = (await replay(seed)).refused;
    } finally {
      change((item) => [item]);
      stage.bus.isHeld = false;
    }
    expect(refused).toContain("REFUSED");
  });
});
