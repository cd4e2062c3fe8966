import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { usageTable } from "../../../../lib/contract/resources.ts";
import type { BudgetOwner } from "../../../../lib/domain/usage/work-budget.ts";
import { WorkBudgets } from "../../../../lib/runtime/callers/work-budgets.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit } from "../../../../lib/store/transaction.ts";
import { UsageStore } from "../../../../lib/store/usage/usage.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";

const START = Date.parse("2026-05-01T08:00:00Z");
const team: BudgetOwner = { kind: "team", teamId: "team" };
const user: BudgetOwner = { kind: "user", teamId: "team", userId: "ada" };
/** Units per second of a team. Its burst is 600 times as large. */
const RATE = 100;

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

const container = () => new WorkBudgets(store, () => now);

test("containers together spend at most a burst, and the budget refills over time", { tags: "deep" }, async () => {
  const containers = [container(), container(), container()];
  const answers = await Promise.all(
    Array.from({ length: 90 }, (_, at) => containers[at % 3]?.spend(team, 1_000, RATE) ?? Promise.resolve(-1)),
  );
  expect(answers.filter((waitMs) => waitMs === 0)).toHaveLength(60);
  const waits = answers.filter((waitMs) => waitMs > 0);
  expect(Math.max(...waits)).toBeLessThanOrEqual(10_000);
  now += 10_000;
  expect(await containers[0]?.spend(team, 1_000, RATE)).toBe(0);
  expect(await containers[1]?.spend(team, 1_000, RATE)).toBeGreaterThan(0);
});

test("a rejected container does not query the table until the budget may have refilled", async () => {
  const one = container();
  expect(await one.spend(team, 60_000, RATE)).toBe(0);
  const charges = vi.spyOn(store, "chargeWork");
  charges.mockClear();
  for (let request = 0; request < 50; request++) expect(await one.spend(team, 500, RATE)).toBeGreaterThan(0);
  expect(charges).toHaveBeenCalledTimes(1);
  now += 5_000;
  expect(await one.spend(team, 500, RATE)).toBe(0);
});

test("a thousand small requests cost five writes", async () => {
  const charges = vi.spyOn(store, "chargeWork");
  charges.mockClear();
  const one = container();
  for (let request = 0; request < 1_000; request++) expect(await one.spend(team, 1, RATE)).toBe(0);
  expect(charges).toHaveBeenCalledTimes(5);
});

test("work larger than the budget runs when the budget is full, and is paid for afterwards", async () => {
  const one = container();
  expect(await one.spend(team, 100_000, RATE)).toBe(0);
  now += 300_000;
  expect(await one.spend(team, 1_000, RATE)).toBeGreaterThan(0);
  now += 700_000;
  expect(await one.spend(team, 1_000, RATE)).toBe(0);
});

test("work known only afterwards is charged to the next request", async () => {
  const one = container();
  await one.record(team, 61_000, RATE);
  expect(await one.spend(team, 1_000, RATE)).toBeGreaterThan(0);
  now += 30_000;
  expect(await one.spend(team, 1_000, RATE)).toBe(0);
});

test("a phone has a tenth of its team's budget, which is deleted with the user", async () => {
  const one = container();
  expect(await one.spend(user, 6_000, RATE)).toBe(0);
  expect(await one.spend(user, 1_000, RATE)).toBeGreaterThan(0);
  await store.eraseUser(TeamScope.grant("team"), "ada", { bytes: 0, items: [] }, now, (items) =>
    commit(dynamodb.documents, items),
  );
  expect(await container().spend(user, 6_000, RATE)).toBe(0);
});
