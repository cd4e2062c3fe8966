// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount, isDeep } from "../../../support/depth.ts";
import { BatchRace } from "./batch-race.ts";
import { BatchStage } from "./batch-stage.ts";

/** The first seed and the number of runs. More runs are for a long search. */
const FIRST = Number(process.env.RACES_FROM ?? 1);
const RUNS = Number(process.env.RACES ?? chooseCount(2, 25));

let stage: BatchStage;
beforeAll(async () => {
  stage = await BatchStage.open();
});
afterAll(() => stage.close());

test("every event of a batch is published, numbered and counted once, despite faults, repetition and earlier versions", {
  timeout: 7_200_000,
}, async () => {
  const struck = new Set<string>();
  let singleWrites = 0;
  for (let seed = FIRST; seed < FIRST + RUNS; seed++) {
    const race = new BatchRace(seed, stage);
    await race.run();
    if (race.broken.length > 0) throw new Error([`seed ${seed}:`, ...race.broken, ...race.trace].join("\n"));
    for (const step of race.trace) {
      const [, operation] = /: (\w+) .*lost\)$/.exec(step) ?? [];
      if (operation) struck.add(operation);
    }
    singleWrites += race.singleWrites;
  }
  expect(singleWrites).toBeGreaterThan(RUNS / 2);
  const requests = [
    "BatchExecuteStatement",
    "GetItem",
    "PutEvents",
    "PutItem",
    "Query",
    "TransactWriteItems",
    "UpdateItem",
  ];
  // A short run strikes some of them.
  expect([...struck].length).toBeGreaterThan(0);
  if (isDeep) expect([...struck]).toEqual(expect.arrayContaining(requests));
});
