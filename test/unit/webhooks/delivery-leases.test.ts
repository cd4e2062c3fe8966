import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { Table } from "../../../lib/store/table.ts";
import { DeliveryLeaseStore } from "../../../lib/store/webhooks/delivery-leases.ts";
import type { Lease } from "../../../lib/store/webhooks/lease-queue.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;

let dynamodb: TestDynamodb;
let leases: DeliveryLeaseStore;
let run = 0;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  leases = new DeliveryLeaseStore(new Table(dynamodb.documents, eventTable.name));
});
beforeEach(() => {
  run++;
});
afterAll(() => dynamodb.stop());

const message = (event: number, order_key = "key"): AttemptMessage => ({
  team_id: "t",
  user_id: `u${run}`,
  endpoint_id: "e",
  event_id: `evt_${event}`,
  order_key,
  probe: false,
});

async function take(event: number, nowMs = NOW): Promise<Lease> {
  const lease = await leases.acquire(message(event), nowMs);
  if (!("fence" in lease)) throw new Error("held");
  return lease;
}

/** Joins the waiting list of a lease that another worker holds. */
async function wait(...events: number[]) {
  const ids = events.map((event) => message(event).event_id);
  const joined = await leases.enqueue(message(0), ids, NOW);
  return joined ? (joined.isFull ? "full" : "waiting") : "free";
}

describe("the lease of an endpoint and ordering key", () => {
  test("belongs to one worker until its release, and each ordering key has its own lease", async () => {
    const lease = await take(1);
    expect(await leases.acquire(message(2), NOW)).toMatchObject({ isQuarantine: false });
    expect(await leases.acquire(message(2, "other"), NOW)).toHaveProperty("fence");
    await leases.release(message(1), lease);
    expect((await take(2)).fence).toBe(lease.fence + 1);
  });

  test("of a dead worker expires only once its request can no longer take effect", async () => {
    await take(1);
    expect(await leases.acquire(message(2), NOW + 75_000)).not.toHaveProperty("fence");
    expect(await leases.acquire(message(2), NOW + 81_000)).toHaveProperty("fence");
  });

  test("can not be released or extended by a former holder after it expired", async () => {
    const first = await take(1);
    const later = NOW + 2 * MINUTE;
    const second = await take(2, later);
    await leases.release(message(1), first);
    await leases.quarantine(message(1), first, later + MINUTE);
    expect(await leases.acquire(message(3), later)).toMatchObject({ isQuarantine: false });
    expect(second.fence).toBeGreaterThan(first.fence);
  });

  test("stays held after an attempt with an unknown outcome, and reports the quarantine", async () => {
    await leases.quarantine(message(1), await take(1), NOW + MINUTE);
    const heldUntil = new Date(NOW + MINUTE).toISOString();
    expect(await leases.acquire(message(2), NOW + 59_999)).toMatchObject({
      heldUntil,
      isQuarantine: true,
      isWaiting: false,
    });
    await take(2, NOW + MINUTE);
    expect(await leases.acquire(message(3), NOW + MINUTE)).toMatchObject({ isQuarantine: false });
  });

  test("keeps the waiting deliveries until each has acquired it or left", async () => {
    const lease = await take(0);
    expect(await wait(1)).toBe("waiting");
    expect(await wait(1, 2, 3, 4)).toBe("waiting");
    expect(await leases.acquire(message(3), NOW)).toMatchObject({ isWaiting: true });
    expect(await leases.acquire(message(5), NOW)).toMatchObject({ isWaiting: false });
    const waiting = await leases.release(message(0), lease, ["evt_1", "evt_9"]);
    expect(waiting.sort()).toEqual(["evt_2", "evt_3", "evt_4"]);
    const second = await take(3);
    expect([...second.waiting].sort()).toEqual(["evt_2", "evt_4"]);
    const third = await leases.passOn(message(2), second, NOW, { leaving: ["evt_4"] });
    expect(third).toMatchObject({ fence: second.fence + 1, waiting: [] });
  });

  test("passes on without a moment in which it is free, and only from its holder", async () => {
    const first = await take(1);
    const second = await leases.passOn(message(2), first, NOW + 1_000);
    expect(second?.fence).toBe(first.fence + 1);
    expect(await leases.passOn(message(3), first, NOW + 1_000)).toBeUndefined();
    await leases.release(message(1), first);
    expect(await leases.acquire(message(4), NOW + 80_999)).not.toHaveProperty("fence");
    expect(await leases.acquire(message(4), NOW + 81_000)).toHaveProperty("fence");
  });

  test("has no waiting delivery that acquires it, none once it is free, and none beyond the limit", async () => {
    const lease = await take(1);
    expect(await wait(2)).toBe("waiting");
    await leases.release(message(1), lease);
    expect(await wait(3)).toBe("free");
    expect(await leases.release(message(2), await take(2))).toEqual([]);
    await take(4);
    for (let event = 100; event < 200; event++) expect(await wait(event)).toBe("waiting");
    expect([await wait(200), await wait(150), await wait(150, 200)]).toEqual(["full", "waiting", "full"]);
    expect(await leases.enqueue(message(0), ["evt_201"], NOW + 81_000)).toBeUndefined();
  });

  test("gives deliveries beyond the limit times to return, one after another at its pace", async () => {
    const second = await leases.passOn(message(2), await take(1), NOW, { paceMs: 40 });
    const joined = await leases.enqueue(message(0), ["evt_3", "evt_4"], NOW);
    expect([second?.fence === undefined, joined?.held.paceMs, joined?.held.waitingCount]).toEqual([false, 40, 2]);
    if (!joined) return;
    const reserve = (count: number, nowMs: number) => leases.reserveReturn(message(5), joined.held, count, nowMs);
    expect([await reserve(1, NOW), await reserve(3, NOW), await reserve(1, NOW)]).toEqual(
      [80, 120, 240].map((ms) => NOW + ms),
    );
    expect(await reserve(1, NOW + MINUTE)).toBe(NOW + MINUTE + 80);
  });
});

test("no sequence of acquisitions, releases, extensions and losses gives two holders or a smaller fencing token", async () => {
  const step = fc.record({
    worker: fc.nat(3),
    act: fc.constantFrom("take", "pass on", "give back", "keep", "die"),
    passMs: fc.constantFrom(0, 1, 5_000, 30_000, 90_000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      run++;
      let nowMs = NOW;
      let freeAt = NOW;
      let fence = 0;
      const held = new Map<number, Lease>();
      for (const { worker, act, passMs } of steps) {
        nowMs += passMs;
        const lease = held.get(worker);
        const isMine = lease?.fence === fence;
        if (act === "take") {
          const answer = await leases.acquire(message(worker), nowMs);
          expect("fence" in answer).toBe(nowMs >= freeAt);
          if (!("fence" in answer)) continue;
          expect(answer.fence).toBeGreaterThan(fence);
          fence = answer.fence;
          freeAt = nowMs + 80_000;
          held.set(worker, answer);
        } else if (lease && act === "pass on") {
          const answer = await leases.passOn(message(worker + 4), lease, nowMs);
          expect(answer !== undefined).toBe(isMine);
          if (!answer) continue;
          expect(answer.fence).toBeGreaterThan(fence);
          fence = answer.fence;
          freeAt = nowMs + 80_000;
          held.set(worker, answer);
        } else if (lease && act === "give back") {
          await leases.release(message(worker), lease);
          if (isMine) freeAt = nowMs;
        } else if (lease && act === "keep") {
          await leases.quarantine(message(worker), lease, nowMs + MINUTE);
          if (isMine) freeAt = nowMs + MINUTE;
        }
        if (act !== "take" && act !== "pass on") held.delete(worker);
      }
    }),
    { numRuns: 40 },
  );
});
