import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { type Attempt, planDelivery } from "../../../lib/events/webhooks/delivery.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { DeliveryStore } from "../../../lib/store/webhooks/deliveries.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const iso = (epochMs: number) => new Date(epochMs).toISOString();

let dynamodb: TestDynamodb;
let table: Table;
let deliveries: DeliveryStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, eventTable.name);
  deliveries = new DeliveryStore(table);
});
beforeEach(async () => {
  await deliveries.eraseUser(TeamScope.grant("t"), "u");
});
afterAll(() => dynamodb.stop());

const event = { event_id: "evt_1", team_id: "t", user_id: "u", type: "x", key: "k", version: 1 };
const reference = { team_id: "t", user_id: "u", endpoint_id: "e", event_id: "evt_1" };
const attempts: Attempt[] = [{ at: iso(NOW), status: 500, duration_ms: 1, response: "", error: null, probe: false }];
const leased = { ...reference, attempts, fence: 3 };
const plan = () => deliveries.create(event, "e", NOW);
const stored = async () => {
  const { Items = [] } = await dynamodb.documents.send(new ScanCommand({ TableName: eventTable.name }));
  return Items[0];
};

/** The item of a planned delivery. The last character of its event id, "1", has code 49, and 49 mod 8 is 1. */
const planned = {
  ...{ pk: "delivery#t#u", sk: "e#evt_1", ...reference, event, state: "pending", attempts: [] },
  ...{ planned_at: iso(NOW), next_attempt_at: iso(NOW), due_shard: "delivery#1", due_at: iso(NOW + MINUTE) },
  ...{ of_endpoint: "delivery#of#t#e", expires_at: NOW / 1000 + 30 * 86_400 },
};
const { due_shard: _, due_at: __, ...ended } = planned;

describe("the item of a delivery", () => {
  test("contains its due time, endpoint and expiry when planned", async () => {
    expect(await plan()).toMatchObject({ ...reference, state: "pending", attempts: [] });
    expect(await stored()).toEqual(planned);
  });

  test("is due at the next instant after a postponement or a failed attempt", async () => {
    await plan();
    await deliveries.postpone(reference, NOW, NOW + HOUR);
    const later = { next_attempt_at: iso(NOW + HOUR), due_at: iso(NOW + HOUR) };
    expect(await stored()).toEqual({ ...planned, ...later });
    await deliveries.scheduleRetry(leased, NOW, NOW + 5 * MINUTE);
    const soon = { next_attempt_at: iso(NOW + 5 * MINUTE), due_at: iso(NOW + 6 * MINUTE) };
    expect(await stored()).toEqual({ ...planned, ...soon, attempts, fence: 3 });
  });

  test("is indexed under its endpoint while held, and moves to the back with each probe", async () => {
    await plan();
    await deliveries.hold(reference, NOW);
    const parked = { ...planned, state: "parked", due_shard: "delivery#parked#t#e", due_at: iso(NOW) };
    expect(await stored()).toEqual(parked);
    await deliveries.recordFailedProbe(leased, NOW + MINUTE);
    expect(await stored()).toEqual({ ...parked, attempts, fence: 3, due_at: iso(NOW + MINUTE) });
    expect(await deliveries.hold(reference, NOW + HOUR)).toBe(false);
  });

  test("leaves the index of due deliveries at its end, and has the reason if any", async () => {
    await plan();
    await deliveries.complete(leased, "delivered");
    expect(await stored()).toEqual({ ...ended, state: "delivered", attempts, fence: 3 });
    await deliveries.eraseUser(TeamScope.grant("t"), "u");
    await plan();
    await deliveries.complete(leased, "cancelled", "gone");
    expect(await stored()).toEqual({ ...ended, state: "cancelled", reason: "gone", attempts, fence: 3 });
    await deliveries.eraseUser(TeamScope.grant("t"), "u");
    await plan();
    await deliveries.cancel(reference, "manual");
    expect(await stored()).toEqual({ ...ended, state: "cancelled", reason: "manual" });
  });

  test("is due again after a resend, with its attempts and without the reason of its end", async () => {
    await plan();
    await deliveries.complete(leased, "cancelled", "gone");
    expect(await deliveries.resend(reference, NOW + HOUR, ["exhausted", "cancelled"], NOW)).toBe(true);
    const due = { next_attempt_at: iso(NOW + HOUR), due_at: iso(NOW + HOUR + MINUTE), resent_at: iso(NOW) };
    expect(await stored()).toEqual({ ...planned, attempts, fence: 3, ...due });
  });
});

describe("the item of a delivery that is stored with its first attempt", () => {
  const unstored = planDelivery(event, "e", NOW);
  const first = { ...unstored, unstored, attempts, fence: 3 };

  test("is outside of the index of due deliveries if the attempt ends it", async () => {
    await deliveries.complete(first, "delivered");
    expect(await stored()).toEqual({ ...ended, state: "delivered", attempts, fence: 3 });
  });

  test("is due at the next instant otherwise", async () => {
    await deliveries.scheduleRetry(first, NOW, NOW + 5_000);
    const due = { next_attempt_at: iso(NOW + 5_000), due_at: iso(NOW + 5_000 + MINUTE) };
    expect(await stored()).toEqual({ ...planned, ...due, attempts, fence: 3 });
  });

  test("replaces the delivery that another consumer planned or held", async () => {
    for (const hold of [false, true]) {
      await plan();
      if (hold) await deliveries.hold(reference, NOW);
      await deliveries.complete(first, "delivered");
      expect(await stored()).toEqual({ ...ended, state: "delivered", attempts, fence: 3 });
      await deliveries.eraseUser(TeamScope.grant("t"), "u");
    }
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a later attempt", () => deliveries.scheduleRetry({ ...leased, fence: 4 }, NOW, NOW + HOUR)],
    ["an end", () => deliveries.cancel(reference, "manual")],
    ["a resend request", () => deliveries.resend(reference, NOW)],
  ])("leaves a delivery with %s as it is", async (_, change) => {
    await plan();
    await change();
    const before = await stored();
    await deliveries.complete(first, "delivered");
    expect(await stored()).toEqual(before);
  });
});

test("a second write under the same lease changes nothing", async () => {
  await plan();
  await deliveries.scheduleRetry(leased, NOW, NOW + HOUR);
  await deliveries.complete({ ...leased, attempts: [] }, "delivered");
  expect(await deliveries.get(reference)).toMatchObject({ state: "pending", attempts });
});

test("deliveries are read by reference: alone, in a batch, and together with other items", async () => {
  const one = await plan();
  const missing = { ...reference, event_id: "evt_2" };
  expect([await deliveries.get(reference), await deliveries.get(missing)]).toEqual([one, undefined]);
  expect(await deliveries.getMany([missing, reference])).toEqual([one]);
  const readings = [deliveries.readItem(reference), deliveries.readItem(missing)];
  expect(await new ReadCollector(() => dynamodb.documents).read(readings)).toEqual([one, undefined]);
});

test("a failed write is reported as an error, not as an unmet condition", async () => {
  const broken = new Error("the table is away");
  const put = vi.spyOn(table, "put").mockRejectedValue(broken);
  const update = vi.spyOn(table, "update").mockRejectedValue(broken);
  await expect(plan()).rejects.toBe(broken);
  await expect(deliveries.hold(reference, NOW)).rejects.toBe(broken);
  put.mockRestore();
  update.mockRestore();
});
