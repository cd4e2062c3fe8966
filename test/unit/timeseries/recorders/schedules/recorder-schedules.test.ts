// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../../../../support/depth.ts";
import { RecorderSchedule } from "./recorder-schedule.ts";
import { ScheduleFixture } from "./schedule-fixture.ts";
import { ShuffledRequests } from "./shuffled-requests.ts";

const RUNS = chooseCount(5, 30);
const WAYS = 10;

let stage: ScheduleFixture;
beforeAll(async () => {
  stage = await ScheduleFixture.open();
});
afterAll(() => stage.close());

test("no schedule of sends, resends, shuffles and crashes loses or mixes samples of recorders", {
  tags: "deep",
}, async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const schedule = new RecorderSchedule(seed, stage);
    const { broken } = await schedule.run();
    expect(broken, [`seed ${seed}`, ...broken, ...stage.interleaving.trace].join("\n")).toEqual([]);
  }
});

test(`${WAYS} orders of the same requests give the same bytes`, { tags: "deep" }, async () => {
  expect(await new ShuffledRequests(2, stage).run(WAYS)).toEqual([]);
});
