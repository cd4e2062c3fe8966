import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { usageTable } from "../../../../lib/contract/resources.ts";
import { RequestLeases } from "../../../../lib/runtime/callers/request-leases.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { UsageStore } from "../../../../lib/store/usage/usage.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";

const START = Date.parse("2026-05-01T23:59:50Z");
const LIMIT = 500;

let dynamodb: TestDynamodb;
let store: UsageStore;
let now = START;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  store = new UsageStore(new Table(dynamodb.documents, usageTable.name));
});
beforeEach(async () => {
  now = START;
  await dynamodb.clear();
});
afterAll(() => dynamodb.stop());

/** A separate container with its own cache. `writes` are its requests to the table. */
function container(ahead = 0) {
  const takes = vi.spyOn(store, "leaseRequests");
  return { leases: new RequestLeases(store, () => now + ahead), takes };
}

/** Counted requests on the days of the test. */
async function counted(teamId: string): Promise<number[]> {
  const days = await store.listDays(TeamScope.grant(teamId), { first: "2026-05-01", last: "2026-05-03" });
  return days.map(({ requests = 0 }) => requests);
}

/** Offers `perSecond` evenly spaced requests to each container. @returns admitted requests by second. */
async function offer(containers: readonly RequestLeases[], perSecond: number, seconds: number): Promise<number[]> {
  const accepted: number[] = [];
  for (let second = 0; second < seconds; second++) {
    let through = 0;
    for (let request = 0; request < perSecond; request++) {
      now = START + second * 1000 + Math.floor((request * 1000) / perSecond);
      const answers = await Promise.all(containers.map((one) => one.tryAcquire("team", LIMIT)));
      through += answers.filter(Boolean).length;
    }
    accepted.push(through);
  }
  return accepted;
}

const eight = () => Array.from({ length: 8 }, () => container().leases);

describe("eight containers with a limit of 500 requests a second", () => {
  test.each([1_600, 800, 560])("admit that many of %i, within a tenth", { tags: "deep" }, async (offered) => {
    const accepted = await offer(eight(), offered / 8, 4);
    for (const perSecond of accepted) {
      expect(perSecond).toBeLessThanOrEqual(LIMIT);
      expect(perSecond).toBeGreaterThan(LIMIT * 0.9);
    }
  });

  test("admit everything below it", async () => {
    expect(await offer(eight(), 40, 3)).toEqual([320, 320, 320]);
  });

  test("query the table about once a second each, at any load", async () => {
    const { takes } = container();
    takes.mockClear();
    await offer(eight(), 50, 5);
    expect(takes.mock.calls.length).toBeLessThanOrEqual(8 * 5 * 2);
    takes.mockClear();
    await offer(eight(), 400, 2);
    expect(takes.mock.calls.length).toBeLessThanOrEqual(8 * 2 * 5);
  });
});

test("concurrent requests wait for one lease and are admitted as it allows", async () => {
  const { leases, takes } = container();
  takes.mockClear();
  const answers = await Promise.all(Array.from({ length: 30 }, () => leases.tryAcquire("team", 20)));
  expect(answers.filter(Boolean)).toHaveLength(20);
  // Leases of at most five, the first of one, and the response that the limit is reached.
  expect(takes).toHaveBeenCalledTimes(6);
  expect(await leases.tryAcquire("team", 20)).toBe(false);
  now += 1000;
  expect(await leases.tryAcquire("team", 20)).toBe(true);
});

test("an idle team causes no writes, and a team at its limit no further writes", async () => {
  const { leases, takes } = container();
  takes.mockClear();
  now += 600_000;
  expect(takes).not.toHaveBeenCalled();
  while (await leases.tryAcquire("team", 3));
  const calls = takes.mock.calls.length;
  for (let request = 0; request < 50; request++) expect(await leases.tryAcquire("team", 3)).toBe(false);
  expect(takes.mock.calls.length).toBe(calls);
});

test("teams have separate limits", async () => {
  const { leases } = container();
  while (await leases.tryAcquire("one", 2));
  expect(await leases.tryAcquire("another", 2)).toBe(true);
});

test("every admitted request is counted on its day, the last ones by the next lease", async () => {
  const { leases } = container();
  for (let request = 0; request < 7; request++) expect(await leases.tryAcquire("team", LIMIT)).toBe(true);
  // The clock moves into the next day.
  now += 20_000;
  for (let request = 0; request < 5; request++) await leases.tryAcquire("team", LIMIT);
  now += 1000;
  await leases.tryAcquire("team", LIMIT);
  expect(await counted("team")).toEqual([7, 6]);
});

test("rejected requests are not counted", async () => {
  const { leases } = container();
  for (let request = 0; request < 10; request++) await leases.tryAcquire("team", 4);
  now += 1000;
  await leases.tryAcquire("team", 4);
  expect(await counted("team")).toEqual([5]);
});

test("clocks that differ by less than a second share the disputed seconds", async () => {
  const [early, late] = [container().leases, container(700).leases];
  let through = 0;
  for (let step = 0; step < 300; step++) {
    now = START + step * 10;
    for (const one of [early, late])
      for (let request = 0; request < 10; request++) if (await one.tryAcquire("team", LIMIT)) through++;
  }
  expect(through).toBeLessThanOrEqual(LIMIT * 4);
  expect(through).toBeGreaterThan(LIMIT * 2.7);
});

test("a clock that was hours ahead does not block a team", async () => {
  expect(await container(3 * 3_600_000).leases.tryAcquire("team", 1)).toBe(true);
  now = START + 3 * 3_600_000 - 60_000;
  expect(await container().leases.tryAcquire("team", 1)).toBe(true);
  expect(await container().leases.tryAcquire("team", 1)).toBe(false);
});

test("a clock that was hours ahead does not block a container that waits for others", async () => {
  now = START + 3_600_000;
  const { leases } = container();
  await container().leases.tryAcquire("team", 2);
  expect(await leases.tryAcquire("team", 2)).toBe(true);
  expect(await container(3_600_000).leases.tryAcquire("team", 1)).toBe(true);
  now += 1000;
  expect(await leases.tryAcquire("team", 1)).toBe(true);
});

test("a failed lease request fails its caller only, and the next request tries again", async () => {
  const { leases, takes } = container();
  takes.mockRejectedValueOnce(new Error("no table"));
  await expect(leases.tryAcquire("team", LIMIT)).rejects.toThrow("no table");
  leases.countUnleased("team");
  expect(await leases.tryAcquire("team", LIMIT)).toBe(true);
  expect(await counted("team")).toEqual([2]);
});
