import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type * as z from "zod";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { Failure } from "../../../lib/events/webhooks/endpoint-health.ts";
import type { Key } from "../../../lib/store/item.ts";
import { Table } from "../../../lib/store/table.ts";
import { EndpointHealthStore } from "../../../lib/store/webhooks/endpoint-health.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A table that lets another write overtake its next read. */
class OvertakenTable extends Table {
  overtake: (() => Promise<void>) | undefined;

  override async get<S extends z.ZodType>(key: Key, schema: S) {
    const found = await super.get(key, schema);
    const overtake = this.overtake;
    this.overtake = undefined;
    await overtake?.();
    return found;
  }
}

let dynamodb: TestDynamodb;
let table: OvertakenTable;
let health: EndpointHealthStore;
let run = 0;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new OvertakenTable(dynamodb.documents, eventTable.name);
  health = new EndpointHealthStore(table);
});
beforeEach(() => {
  run++;
});
afterAll(() => dynamodb.stop());

const endpoint = () => ({ team_id: "t", endpoint_id: `e${run}` });
const fail = (event: number, nowMs = NOW, kind: Failure["kind"] = "outage") =>
  health.recordFailure(endpoint(), { kind, eventId: `evt_${event}` }, nowMs);
const failMany = (count: number) => Promise.all(Array.from({ length: count }, (_, event) => fail(event)));
const iso = (epochMs: number) => new Date(epochMs).toISOString();
const seen = () => health.get(endpoint());
const due = async (nowMs: number) => {
  const found = await health.listDue(nowMs);
  return found.due.filter(({ endpoint_id }) => endpoint_id === endpoint().endpoint_id);
};

describe("the health of an endpoint", () => {
  test("counts each failed delivery once, even with concurrent failures", async () => {
    await failMany(12);
    await failMany(12);
    expect((await seen()).failed?.size).toBe(12);
  });

  test("stores at most 20 failed deliveries", async () => {
    for (let event = 0; event < 40; event++) await fail(event);
    expect((await seen()).failed?.size).toBe(20);
  });

  test("is cleared by a success, except for the due time of held deliveries", async () => {
    await failMany(20);
    await health.suspend(endpoint(), NOW);
    await health.clearFailures(endpoint(), await seen(), NOW + MINUTE);
    expect(await seen()).toEqual(endpoint());
    expect(await due(NOW + MINUTE)).toMatchObject([endpoint()]);
  });

  test("is prompt after a prompt probe, so that its slowness does not hold back what waits", async () => {
    await failMany(20);
    await health.recordDuration(endpoint(), 15_000, NOW, endpoint());
    await health.suspend(endpoint(), NOW);
    const suspended = await seen();
    await health.clearFailures(endpoint(), suspended, NOW + MINUTE, 1_000);
    expect(await seen()).toMatchObject({ slow_ms: 15_000 });
    await health.clearFailures(endpoint(), suspended, NOW + MINUTE, 999);
    expect(await seen()).toEqual({ ...endpoint(), prompt_from: new Date(NOW + MINUTE).toISOString() });
  });

  test("is suspended after 20 failures, not after 19, and only once", async () => {
    await failMany(19);
    await health.suspend(endpoint(), NOW);
    expect(await seen()).not.toHaveProperty("parked_at");
    await fail(19);
    await health.suspend(endpoint(), NOW);
    await health.suspend(endpoint(), NOW + HOUR);
    expect((await seen()).parked_at).toBe(new Date(NOW).toISOString());
  });

  test("is not suspended after a success", async () => {
    await failMany(20);
    await health.clearFailures(endpoint(), await seen(), NOW);
    await health.suspend(endpoint(), NOW);
    expect(await seen()).toEqual(endpoint());
  });

  test("has no run of failures after a refusal, which leaves the failure clock", async () => {
    await failMany(19);
    await fail(19, NOW + 13 * HOUR, "refusal");
    const clock = { first_failed_at: iso(NOW), failing_since: iso(NOW + 13 * HOUR) };
    expect(await seen()).toEqual({ ...endpoint(), ...clock });
    await fail(20, NOW + 14 * HOUR);
    expect(await seen()).toEqual({ ...endpoint(), ...clock, failed: new Set(["evt_20"]) });
  });

  test("is suspended no more after a refusal, and its held deliveries are due for dispatch", async () => {
    await failMany(20);
    await health.suspend(endpoint(), NOW);
    await fail(20, NOW + 30_000, "refusal");
    expect(await seen()).toEqual({ ...endpoint(), first_failed_at: iso(NOW) });
    expect(await due(NOW + 30_000)).toMatchObject([endpoint()]);
  });

  test("has a failure clock that concurrent failures start once and a success ends", async () => {
    await fail(1);
    await Promise.all([fail(2, NOW + 13 * HOUR), fail(3, NOW + 14 * HOUR), fail(4, NOW + 15 * HOUR)]);
    const { first_failed_at, failing_since = "" } = await seen();
    expect(first_failed_at).toBe(new Date(NOW).toISOString());
    expect([13, 14, 15].map((hours) => new Date(NOW + hours * HOUR).toISOString())).toContain(failing_since);
    await health.clearFailures(endpoint(), await seen(), NOW);
    expect(await seen()).toEqual(endpoint());
  });

  test("keeps its failure clock cleared when a success overtakes a failure", async () => {
    await fail(1);
    await fail(2, NOW + 13 * HOUR);
    table.overtake = async () => health.clearFailures(endpoint(), await seen(), NOW + 14 * HOUR);
    await fail(3, NOW + 14 * HOUR);
    const first_failed_at = new Date(NOW + 14 * HOUR).toISOString();
    expect(await seen()).toEqual({ ...endpoint(), failed: new Set(["evt_3"]), first_failed_at });
  });

  test("is held for the longest requested time", async () => {
    await fail(1, NOW, "pause");
    await health.pauseUntil(endpoint(), NOW + HOUR);
    await health.pauseUntil(endpoint(), NOW + MINUTE);
    expect(await seen()).toMatchObject({ hold_until: new Date(NOW + HOUR).toISOString() });
    expect(await seen()).not.toHaveProperty("failed");
  });
});

describe("a suspended endpoint", () => {
  test("gets one probe per minute, regardless of concurrent claims", async () => {
    await failMany(20);
    await health.suspend(endpoint(), NOW);
    expect(await health.claimProbe(endpoint(), NOW)).toBe(false);
    const claims = await Promise.all([1, 2, 3].map(() => health.claimProbe(endpoint(), NOW + MINUTE)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await due(NOW + MINUTE)).toEqual([]);
    expect(await due(NOW + 2 * MINUTE)).toHaveLength(1);
  });

  test("has its held deliveries released by one sweep at a time after it recovers", async () => {
    await failMany(20);
    await health.suspend(endpoint(), NOW);
    await health.clearFailures(endpoint(), await seen(), NOW);
    const [found] = await due(NOW);
    if (!found) throw new Error("not found");
    const plans = await Promise.all([1, 2, 3].map(() => health.scheduleResume(found, NOW + MINUTE)));
    expect(plans.filter(Boolean)).toHaveLength(1);
    expect(await health.claimProbe(endpoint(), NOW + HOUR)).toBe(false);
  });
});
