import { expect, test } from "vitest";
import { estimateDollars } from "../../../lib/domain/usage/cost.ts";
import { prices } from "../../../lib/domain/usage/prices.ts";
import { toUsageDays, usageDay } from "../../../lib/domain/usage/usage-day.ts";

const TEAM = "7ea70000-0000-4000-8000-000000000001";
const nothing = { requests: 0, samples: 0, events: 0, deliveries: 0, stored_bytes: 0 };
const range = { first: "2026-02-27", last: "2026-03-02" };

test("partial counts of one day add up", () => {
  const counts = [
    { date: "2026-02-28", samples: 3, bytes: 30 },
    { date: "2026-02-28", requests: 7 },
    { date: "2026-02-28", samples: 4, bytes: 12 },
    { date: "2026-02-28", events: 2 },
    { date: "2026-02-28", deliveries: 5 },
  ];
  const [day] = toUsageDays(TEAM, counts, { first: "2026-02-28", last: "2026-02-28" });
  const used = { requests: 7, samples: 7, events: 2, deliveries: 5, stored_bytes: 42 };
  expect(day).toEqual({ team_id: TEAM, date: "2026-02-28", ...used, estimated_dollars: estimateDollars(used) });
  expect(usageDay.parse(day)).toEqual(day);
});

test("storage continues until it is erased, so days without use include it", () => {
  const counts = [
    { date: "2025-12-31", samples: 1, bytes: 100 },
    { date: "2026-02-28", samples: 1, bytes: 50 },
    { date: "2026-03-02", bytes: -150 },
    { date: "2026-03-02", requests: 1 },
  ];
  const days = toUsageDays(TEAM, counts, range);
  expect(days.map(({ date, samples, stored_bytes }) => [date, samples, stored_bytes])).toEqual([
    ["2026-02-27", 0, 100],
    ["2026-02-28", 1, 150],
    ["2026-03-01", 0, 150],
    ["2026-03-02", 0, 0],
  ]);
});

test("days without use or data and future ranges have no row", () => {
  const counts = [{ date: "2026-03-01", requests: 1 }];
  expect(toUsageDays(TEAM, counts, range).map(({ date }) => date)).toEqual(["2026-03-01"]);
  expect(toUsageDays(TEAM, [], range)).toEqual([]);
  expect(toUsageDays(TEAM, counts, { first: "2026-03-02", last: "2026-02-27" })).toEqual([]);
});

test("an erasure that subtracts more than was counted leaves zero", () => {
  const [day] = toUsageDays(TEAM, [{ date: "2026-03-01", bytes: -5, requests: 1 }], range);
  expect(day?.stored_bytes).toBe(0);
});

test("dollars follow the price table, rounded to a millionth", () => {
  expect(estimateDollars(nothing)).toBe(0);
  const request =
    prices.httpApiRequest +
    prices.lambdaRequest +
    0.01 * prices.lambdaGbSecond +
    2 * prices.dynamodbWrite +
    3 * prices.dynamodbRead;
  expect(estimateDollars({ ...nothing, requests: 1_000_000 })).toBeCloseTo(request * 1e6, 6);
  expect(estimateDollars({ ...nothing, requests: 1 })).toBe(0.000003);
  // One gigabyte for a year.
  expect(estimateDollars({ ...nothing, stored_bytes: 2 ** 30 }) * 365).toBeCloseTo(12 * prices.storedGbMonth, 3);
});

test("every unit has a price, and cost is linear", () => {
  for (const unit of Object.keys(nothing) as (keyof typeof nothing)[]) {
    const once = estimateDollars({ ...nothing, [unit]: 1e12 });
    expect(once).toBeGreaterThan(0);
    expect(estimateDollars({ ...nothing, [unit]: 2e12 }) / once).toBeCloseTo(2, 6);
  }
});
