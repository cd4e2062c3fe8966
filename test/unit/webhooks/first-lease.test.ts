import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import { type AttemptError, type AttemptMessage, planDelivery } from "../../../lib/events/webhooks/delivery.ts";
import { acquireFirstLease, acquireLease, endFirstLease } from "../../../lib/services/webhooks/delivery-lease.ts";
import { ReadCollector } from "../../../lib/store/read-collector.ts";
import { Table } from "../../../lib/store/table.ts";
import { DeliveryStore } from "../../../lib/store/webhooks/deliveries.ts";
import { DeliveryLeaseStore } from "../../../lib/store/webhooks/delivery-leases.ts";
import type { Lease } from "../../../lib/store/webhooks/lease-queue.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

let dynamodb: TestDynamodb;
let deps: Parameters<typeof acquireFirstLease>[1];
const sent: AttemptMessage[] = [];
beforeAll(async () => {
  dynamodb = await startDynamodb();
  const table = new Table(dynamodb.documents, eventTable.name);
  const webhookAttempts = { sendAll: async (all: readonly AttemptMessage[]) => void sent.push(...all) };
  const stores = { deliveries: new DeliveryStore(table), deliveryLeases: new DeliveryLeaseStore(table) };
  const reads = new ReadCollector(() => dynamodb.documents);
  const read = reads.read.bind(reads);
  deps = { ...stores, webhookAttempts, read } as unknown as typeof deps;
});
beforeEach(() => {
  sent.splice(0);
  return dynamodb.clear();
});
afterAll(() => dynamodb.stop());

const message = (event: number): AttemptMessage => ({
  ...{ team_id: "t", user_id: "u", endpoint_id: "e", event_id: `evt_${event}` },
  ...{ order_key: "key", probe: false },
});
const eventOf = ({ event_id, team_id, user_id }: AttemptMessage) => ({
  ...{ event_id, team_id, user_id, type: "provider.connection.created" },
  ...{ key: "key", version: 1 },
});

async function takeFirst(event: number): Promise<Lease> {
  const lease = await acquireFirstLease(message(event), deps);
  if (!("fence" in lease)) throw new Error("held");
  return lease;
}

/** Whether a first attempt acquires its lease. */
const isFree = async (event: number) => "fence" in (await acquireFirstLease(message(event), deps));

/** Stores the delivery with its first attempt, as the holder of the lease does. */
async function recordFirst(event: number, { fence }: Lease, error: AttemptError | null = null): Promise<void> {
  const unstored = planDelivery(eventOf(message(event)), "e", Date.now());
  const attempt = { at: unstored.planned_at, status: 204, duration_ms: 1, response: "", error, probe: false };
  await deps.deliveries.complete({ ...unstored, unstored, attempts: [attempt], fence }, "delivered");
}

/** Acquires the lease for a delivery of the attempt queue. */
async function takeLater(event: number): Promise<Lease | undefined> {
  const [line] = await deps.read([deps.deliveryLeases.readItem(message(event))]);
  return acquireLease(message(event), line, deps);
}

describe("the lease of a first attempt", () => {
  test("is held until its delivery is recorded, and free from then on without another write", async () => {
    const first = await takeFirst(1);
    expect([await isFree(2), await takeLater(3)]).toEqual([false, undefined]);
    await recordFirst(1, first);
    const second = await takeFirst(2);
    expect(second.fence).toBeGreaterThan(first.fence);
    await recordFirst(2, second);
    expect((await takeLater(4))?.fence).toBeGreaterThan(second.fence);
  });

  test.each(["timeout", "broken"] as const)("stays held after an attempt that ended with %s", async (error) => {
    await recordFirst(1, await takeFirst(1), error);
    expect([await isFree(2), await takeLater(3)]).toEqual([false, undefined]);
  });

  test("is not ended by the record of an earlier lease", async () => {
    const first = await takeFirst(1);
    await recordFirst(1, first);
    await takeFirst(2);
    expect(await isFree(3)).toBe(false);
  });

  test("is acquired once for an event, also after its record", async () => {
    const lease = await takeFirst(1);
    expect(await isFree(1)).toBe(false);
    await recordFirst(1, lease);
    expect(await isFree(1)).toBe(false);
  });

  test("dispatches the deliveries that joined its waiting list", async () => {
    const lease = await takeFirst(1);
    expect(await takeLater(2)).toBeUndefined();
    await recordFirst(1, lease);
    await endFirstLease(message(1), lease, deps);
    expect(sent).toEqual([message(2)]);
  });

  test("is taken by a delivery that joins the waiting list after the holder has read it", async () => {
    const lease = await takeFirst(1);
    const { deliveryLeases } = deps;
    const [line] = await deps.read([deliveryLeases.readItem(message(2))]);
    const enqueue: typeof deliveryLeases.enqueue = async (...asked) => {
      await recordFirst(1, lease);
      await endFirstLease(message(1), lease, deps);
      return deliveryLeases.enqueue(...asked);
    };
    const late = Object.assign(Object.create(deliveryLeases), {
      acquire: deliveryLeases.acquire.bind(deliveryLeases),
      enqueue,
    });
    expect(await acquireLease(message(2), line, { ...deps, deliveryLeases: late })).toBeDefined();
    expect(sent).toEqual([]);
  });
});
