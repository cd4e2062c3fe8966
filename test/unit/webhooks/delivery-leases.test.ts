import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { AttemptMessage } from "../../../lib/events/webhooks/delivery.ts";
import { Table } from "../../../lib/store/table.ts";
import { DeliveryLeaseStore, type Lease } from "../../../lib/store/webhooks/delivery-leases.ts";
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

/** Queues for a lease that another worker holds. */
async function wait(event: number) {
  const held = await leases.acquire(message(event), NOW);
  return "fence" in held ? "taken" : leases.enqueue(message(event), held);
}

describe("the lease of an endpoint and ordering key", () => {
  test("belongs to one worker until its release, and each ordering key has its own lease", async () => {
    const lease = await take(1);
    expect(await leases.acquire(message(2), NOW)).toMatchObject({ isQuarantine: false });
    expect(await leases.acquire(message(2, "other"), NOW)).toHaveProperty("fence");
    await leases.release(message(1), lease, NOW);
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
    await leases.release(message(1), first, later);
    await leases.quarantine(message(1), first, later + MINUTE);
    expect(await leases.acquire(message(3), later)).toMatchObject({ isQuarantine: false });
    expect(second.fence).toBeGreaterThan(first.fence);
  });

  test("stays held after an attempt with an unknown outcome, and reports the quarantine", async () => {
    await leases.quarantine(message(1), await take(1), NOW + MINUTE);
    const heldUntil = new Date(NOW + MINUTE).toISOString();
    expect(await leases.acquire(message(2), NOW + 59_999)).toEqual({ heldUntil, isQuarantine: true, isWaiting: false });
    await take(2, NOW + MINUTE);
    expect(await leases.acquire(message(3), NOW + MINUTE)).toMatchObject({ isQuarantine: false });
  });

  test("wakes some waiting deliveries on release, each once", async () => {
    const lease = await take(0);
    for (let event = 1; event <= 4; event++) expect(await wait(event)).toBe("waiting");
    expect(await leases.acquire(message(3), NOW)).toMatchObject({ isWaiting: true });
    expect(await leases.acquire(message(5), NOW)).toMatchObject({ isWaiting: false });
    const woken = await leases.release(message(0), lease, NOW);
    const rest = await leases.release(message(7), await take(7), NOW);
    expect(woken).toHaveLength(2);
    expect([...woken, ...rest].sort()).toEqual([1, 2, 3, 4].map((event) => `evt_${event}`));
    expect(await leases.release(message(8), await take(8), NOW)).toEqual([]);
  });

  test("has no waiter that acquires it, none after a release, and none beyond the limit", async () => {
    const lease = await take(1);
    const held = await leases.acquire(message(2), NOW);
    if ("fence" in held) throw new Error("not held");
    await leases.enqueue(message(2), held);
    await leases.release(message(1), lease, NOW);
    expect(await leases.enqueue(message(3), held)).toBe("free");
    expect(await leases.release(message(2), await take(2), NOW)).toEqual([]);
    await take(4);
    for (let event = 100; event < 200; event++) expect(await wait(event)).toBe("waiting");
    expect([await wait(200), await wait(150)]).toEqual(["full", "waiting"]);
  });
});

test("no sequence of acquisitions, releases, extensions and losses gives two holders or a smaller fencing token", async () => {
  const step = fc.record({
    worker: fc.nat(3),
    act: fc.constantFrom("take", "give back", "keep", "die"),
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
        } else if (lease && act === "give back") {
          await leases.release(message(worker), lease, nowMs);
          if (isMine) freeAt = nowMs;
        } else if (lease && act === "keep") {
          await leases.quarantine(message(worker), lease, nowMs + MINUTE);
          if (isMine) freeAt = nowMs + MINUTE;
        }
        if (act !== "take") held.delete(worker);
      }
    }),
    { numRuns: 40 },
  );
});
