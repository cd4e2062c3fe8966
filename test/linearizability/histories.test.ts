// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../support/depth.ts";
import type { History } from "./operation.ts";
import { recordHistories, type WorkloadName, workloads } from "./record-histories.ts";
import { describeHistory, isRefused, shrinkRefused } from "./refused-history.ts";
import { ServiceFixture } from "./service-fixture.ts";

/** Operations of each workload. Those on several objects count once each. */
const OPERATIONS = Number(process.env.OPERATIONS ?? chooseCount(40, 200, 600));
/** Seeds whose histories are recorded twice. */
const SEEDS_AGAIN = chooseCount(1, 5, 20);

let service: ServiceFixture;
beforeAll(async () => {
  service = await ServiceFixture.open();
});
afterAll(() => service.close());

/** Seeds whose histories were once refused. The move of an endpoint answered with the URL of a later move. */
const refusedOnce: Partial<Record<WorkloadName, readonly number[]>> = { endpoints: [894] };

const names = Object.keys(workloads) as WorkloadName[];
test.each(names)("some order of the calls explains every answer: %s", { timeout: 3_600_000 }, async (name) => {
  const histories: History[] = [];
  for (const seed of refusedOnce[name] ?? []) histories.push(...(await recordHistories(service, name, seed)));
  for (let [seed, operations] = [1, 0]; operations < OPERATIONS; seed++) {
    const recorded = await recordHistories(service, name, seed);
    histories.push(...recorded);
    operations += recorded.reduce((sum, one) => sum + one.operations.length, 0);
  }
  const refused = histories.filter(isRefused);
  expect(refused.slice(0, 3).map((history) => describeHistory(shrinkRefused(history)))).toEqual([]);
});

// The shards of a feed's events follow from their ids, and so from the id of the team, which no history shares.
test.each(names.filter((name) => name !== "feed"))("a seed gives the same histories again: %s", async (name) => {
  for (let seed = 1; seed <= SEEDS_AGAIN; seed++) {
    const first = await recordHistories(service, name, seed);
    const trace = [...service.turns.trace];
    expect(await recordHistories(service, name, seed)).toEqual(first);
    expect(service.turns.trace).toEqual(trace);
  }
});
