import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { usageTable } from "../../../lib/contract/resources.ts";
import { toUsageDays } from "../../../lib/domain/usage/usage-day.ts";
import { scanKeys } from "../../../lib/store/scan-keys.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { UsageStore } from "../../../lib/store/usage/usage.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const TEAM = "7ea70000-0000-4000-8000-000000000001";
const scope = TeamScope.grant(TEAM);
const at = (hour: number, minute = 0, second = 0) => Date.UTC(2026, 4, 1, hour, minute, second);

let dynamodb: TestDynamodb;
let table: Table;
let usage: UsageStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, usageTable.name);
  usage = new UsageStore(table);
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

const deliveriesByDay = async (first: string, last: string) => {
  const days = toUsageDays(TEAM, await usage.listDays(scope, { first, last }), { first, last });
  return days.map(({ date, deliveries }) => [date, deliveries]);
};

test("attempts are listed by five minutes and outcome, from the interval of an instant on", async () => {
  for (const minute of [0, 4, 5, 59])
    await usage.addAttempt(scope, { outcome: "delivered", eventId: "0" }, at(8, minute, 59));
  await usage.addAttempt(scope, { outcome: "failed", eventId: "0" }, at(8, 7));
  await usage.addAttempt(scope, { outcome: "delivered", eventId: "0" }, at(9));
  const counts = [
    { fromMs: at(8, 0), delivered: 2, failed: 0 },
    { fromMs: at(8, 5), delivered: 1, failed: 1 },
    { fromMs: at(8, 55), delivered: 1, failed: 0 },
    { fromMs: at(9), delivered: 1, failed: 0 },
  ];
  const listed = async (sinceMs: number) =>
    (await usage.listAttempts(scope, sinceMs)).toSorted((one, other) => one.fromMs - other.fromMs);
  expect(await listed(at(8))).toEqual(counts);
  expect(await listed(at(8, 7))).toEqual(counts.slice(1));
  expect(await listed(at(10))).toEqual([]);
});

test("concurrent attempts all count, in the usage of their day as in the metrics", async () => {
  const outcomes = ["delivered", "failed"] as const;
  const attempts = Array.from({ length: 60 }, (_, index) => at(index % 24, index % 60));
  const add = (nowMs: number, index: number) =>
    usage.addAttempt(scope, { outcome: outcomes[index % 2] ?? "failed", eventId: index.toString(16) }, nowMs);
  await Promise.all(attempts.map(add));
  const counts = await usage.listAttempts(scope, at(0));
  expect(counts.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0)).toBe(60);
  expect(await deliveriesByDay("2026-05-01", "2026-05-01")).toEqual([["2026-05-01", 60]]);
});

test("the last and the first attempt of two days count on their days", async () => {
  await usage.addAttempt(scope, { outcome: "delivered", eventId: "0" }, at(0) - 1);
  await usage.addAttempt(scope, { outcome: "delivered", eventId: "0" }, at(0));
  expect(await deliveriesByDay("2026-04-30", "2026-05-02")).toEqual([
    ["2026-04-30", 1],
    ["2026-05-01", 1],
  ]);
  expect(await deliveriesByDay("2026-05-01", "2026-05-01")).toEqual([["2026-05-01", 1]]);
});

test("the counts of a day that an earlier version wrote add up with those of this version, and are no metrics", async () => {
  await table.put({ pk: `usage#${TEAM}`, sk: "deliveries#2026-05-01", deliveries: 40 });
  await usage.addAttempt(scope, { outcome: "failed", eventId: "0" }, at(23, 59));
  expect(await deliveriesByDay("2026-05-01", "2026-05-01")).toEqual([["2026-05-01", 41]]);
  expect(await usage.listAttempts(scope, at(0) - 1)).toEqual([{ fromMs: at(23, 55), delivered: 0, failed: 1 }]);
});

test("attempts of one hour are in eight partitions by the event, and list and report add them up", async () => {
  const events = Array.from({ length: 16 }, (_, digit) => digit.toString(16));
  for (const eventId of events) await usage.addAttempt(scope, { outcome: "delivered", eventId }, at(8));
  const items = await Array.fromAsync(scanKeys(table));
  expect(items.map(({ pk }) => pk).toSorted()).toEqual(
    Array.from({ length: 8 }, (_, shard) => `usage#${TEAM}#${shard}`),
  );
  expect(await usage.listAttempts(scope, at(8))).toEqual([{ fromMs: at(8), delivered: 16, failed: 0 }]);
  expect(await deliveriesByDay("2026-05-01", "2026-05-01")).toEqual([["2026-05-01", 16]]);
});

test("attempts that an earlier version counted in the same five minutes add up with those of this version", async () => {
  await table.put({ pk: `usage#${TEAM}`, sk: "deliveries#2026-05-01T08", deliveries: 3, delivered00: 2, failed00: 1 });
  await usage.addAttempt(scope, { outcome: "failed", eventId: "7" }, at(8, 4));
  expect(await usage.listAttempts(scope, at(8))).toEqual([{ fromMs: at(8), delivered: 2, failed: 2 }]);
  expect(await deliveriesByDay("2026-05-01", "2026-05-01")).toEqual([["2026-05-01", 4]]);
});
