import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { Table } from "../../../lib/store/table.ts";
import { DeliverySlotStore } from "../../../lib/store/webhooks/delivery-slots.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE_MS = 60_000;
const MOST = 5;

let dynamodb: TestDynamodb;
let slots: DeliverySlotStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  slots = new DeliverySlotStore(new Table(dynamodb.documents, eventTable.name));
});
afterAll(() => dynamodb.stop());

let claims = 0;
/** Claims slots at the same time. @returns those that were acquired. */
async function claimUnproven(teamId: string, count: number, nowMs = NOW): Promise<string[]> {
  const claim = () => slots.acquireUnproven(teamId, MOST, `${claims++}`, nowMs);
  const found = await Promise.all(Array.from({ length: count }, claim));
  return found.filter((slot) => slot !== undefined);
}

describe("the slots of a team for endpoints not known to be prompt", () => {
  test("are no more than the limit, however many claim them at the same time", async () => {
    const first = await claimUnproven("a", 20);
    expect(first).toHaveLength(MOST);
    const [slot = ""] = first;
    await Promise.all([slots.releaseUnproven("a", slot), slots.releaseUnproven("a", slot)]);
    expect(await claimUnproven("a", 20)).toHaveLength(1);
  });

  test("are free a minute after a crash, and not before", async () => {
    expect(await claimUnproven("b", MOST)).toHaveLength(MOST);
    expect(await claimUnproven("b", MOST, NOW + MINUTE_MS - 1_000)).toHaveLength(0);
    expect(await claimUnproven("b", 20, NOW + MINUTE_MS)).toHaveLength(MOST);
  });

  test("are neither those of another team nor those of slow endpoints", async () => {
    expect(await claimUnproven("c", MOST)).toHaveLength(MOST);
    expect(await claimUnproven("d", MOST)).toHaveLength(MOST);
    const slow = { team_id: "c", endpoint_id: "e" };
    const bounds = { team: 10, endpoint: 4 };
    const claim = () => slots.acquire(slow, bounds, `${claims++}`, NOW);
    const taken = await Promise.all(Array.from({ length: 8 }, claim));
    expect(taken.filter((one) => typeof one === "string")).toHaveLength(bounds.endpoint);
    expect(taken.filter((one) => typeof one !== "string")).toEqual(Array(4).fill({ full: "endpoint" }));
  });
});

test("deliveries without a slot return one after another, none later than 15 minutes", async () => {
  const of = { team_id: "f", endpoint_id: "e" };
  const times: number[] = [];
  for (let delivery = 0; delivery < 20; delivery++) {
    times.push(await slots.reserveRetryTime(of, "endpoint", 2 * MINUTE_MS, NOW));
  }
  expect(times.slice(0, 7)).toEqual([1, 2, 3, 4, 5, 6, 7].map((place) => NOW + 2 * place * MINUTE_MS));
  expect(Math.max(...times)).toBeLessThanOrEqual(NOW + 15 * MINUTE_MS);
  expect(new Set(times).size).toBe(7);
});
