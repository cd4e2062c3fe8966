import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { eventTable } from "../../../lib/contract/resources.ts";
import type { Attempt } from "../../../lib/events/webhooks/delivery.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { DeliveryStore } from "../../../lib/store/webhooks/deliveries.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1, 8);
const MINUTE = 60_000;
const ENDPOINT = { team_id: "t", endpoint_id: "e" };

let dynamodb: TestDynamodb;
let deliveries: DeliveryStore;
let run = 0;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  deliveries = new DeliveryStore(new Table(dynamodb.documents, eventTable.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

const plan = () => {
  const event = { event_id: `evt_${run++}`, team_id: "t", user_id: "u", type: "x", key: "k", version: 1 };
  return deliveries.create(event, "e", NOW);
};
const iso = (epochMs: number) => new Date(epochMs).toISOString();
const attempt = (status: number): Attempt => ({
  at: new Date(NOW).toISOString(),
  status,
  duration_ms: 1,
  response: "",
  error: null,
  probe: false,
});
const dueAt = async (nowMs: number) => (await deliveries.listDue(nowMs)).due.map(({ event_id }) => event_id);

describe("a delivery", () => {
  test("stays unchanged when it is planned again", async () => {
    const planned = await plan();
    await deliveries.cancel(planned, "gone");
    await deliveries.create(planned.event, "e", NOW);
    expect(await deliveries.get(planned)).toMatchObject({ state: "cancelled", reason: "gone" });
  });

  test("is final and no longer due once it has ended", async () => {
    const planned = await plan();
    await deliveries.complete({ ...planned, attempts: [attempt(204)], fence: 5 }, "delivered");
    const ended = await deliveries.get(planned);
    await deliveries.scheduleRetry({ ...planned, attempts: [attempt(500)], fence: 6 }, NOW, NOW);
    await deliveries.cancel(planned, "gone");
    await deliveries.recordFailedProbe({ ...planned, attempts: [], fence: 6 }, NOW);
    expect([await deliveries.hold(planned, NOW), await deliveries.postpone(planned, NOW, NOW + MINUTE)]).toEqual([
      false,
      false,
    ]);
    expect(await deliveries.get(planned)).toEqual(ended);
    expect(await dueAt(NOW + 60 * MINUTE)).toEqual([]);
  });

  test("ignores a late worker once it was attempted under a newer lease", async () => {
    const planned = await plan();
    await deliveries.scheduleRetry({ ...planned, attempts: [attempt(500)], fence: 7 }, NOW, NOW + MINUTE);
    await deliveries.complete({ ...planned, attempts: [attempt(204)], fence: 6 }, "delivered");
    expect(await deliveries.get(planned)).toMatchObject({ state: "pending", attempts: [{ status: 500 }] });
  });

  test("does not reappear after an erasure", async () => {
    const planned = await plan();
    await deliveries.eraseUser(TeamScope.grant("t"), "u");
    await deliveries.complete({ ...planned, attempts: [attempt(204)], fence: 1 }, "delivered");
    await deliveries.cancel(planned, "user_deleted");
    expect(await deliveries.get(planned)).toBeUndefined();
  });

  test("is postponed or held only when it is due", async () => {
    const planned = await plan();
    expect(await deliveries.postpone(planned, NOW, NOW + MINUTE)).toBe(true);
    expect([await deliveries.postpone(planned, NOW, NOW), await deliveries.hold(planned, NOW)]).toEqual([false, false]);
    expect(await deliveries.hold(planned, NOW + MINUTE)).toBe(true);
  });
});

describe("a resent delivery", () => {
  test("is due at once in any state, but not after an erasure", async () => {
    const planned = await plan();
    await deliveries.complete({ ...planned, attempts: [attempt(410)], fence: 5 }, "cancelled", "gone");
    expect(await deliveries.resend(planned, NOW + MINUTE)).toBe(true);
    const resent = await deliveries.get(planned);
    expect(resent).toMatchObject({ state: "pending", attempts: [{ status: 410 }], next_attempt_at: iso(NOW + MINUTE) });
    expect(resent).not.toHaveProperty("reason");
    expect(await dueAt(NOW + 2 * MINUTE)).toEqual([planned.event_id]);
    await deliveries.eraseUser(TeamScope.grant("t"), "u");
    expect(await deliveries.resend(planned, NOW)).toBe(false);
    expect(await deliveries.get(planned)).toBeUndefined();
  });

  test("is resent once per bulk request, and only if it failed", async () => {
    const [taken, failed] = [await plan(), await plan()];
    await deliveries.complete({ ...taken, attempts: [attempt(204)], fence: 1 }, "delivered");
    await deliveries.complete({ ...failed, attempts: [attempt(500)], fence: 1 }, "exhausted");
    const again = (one: typeof taken, startedMs: number) => deliveries.resend(one, NOW, ["exhausted"], startedMs);
    expect([await again(taken, NOW), await again(failed, NOW), await again(failed, NOW)]).toEqual([false, true, false]);
    await deliveries.complete({ ...failed, attempts: [attempt(500)], fence: 2 }, "exhausted");
    expect([await again(failed, NOW), await again(failed, NOW + 1)]).toEqual([false, true]);
  });
});

test("deliveries are listed by endpoint, in time order, page by page", async () => {
  const planAt = (userId: string, atMs: number, endpointId = "e") => {
    const event = { event_id: `evt_${run++}`, team_id: "t", user_id: userId, type: "x", key: "k", version: 1 };
    return deliveries.create(event, endpointId, atMs);
  };
  const [first, second, third] = [await planAt("u", NOW), await planAt("v", NOW + 1), await planAt("", NOW + 2)];
  await planAt("u", NOW + 1, "other");
  const names = ({ found }: { found: { user_id: string; event_id: string }[] }) =>
    found.map(({ user_id, event_id }) => [user_id, event_id]);
  const nameOf = ({ user_id, event_id }: typeof first) => [user_id, event_id];
  const page = await deliveries.listByEndpoint(ENDPOINT, { isNewestFirst: true, limit: 2 });
  expect(names(page)).toEqual([third, second].map(nameOf));
  const rest = await deliveries.listByEndpoint(ENDPOINT, { isNewestFirst: true, limit: 2, after: page.next });
  expect([names(rest), rest.next]).toEqual([[nameOf(first)], undefined]);
  const span = { since: iso(NOW + 1), until: iso(NOW + 1), limit: 9 };
  expect(names(await deliveries.listByEndpoint(ENDPOINT, span))).toEqual([nameOf(second)]);
});

test("the sweeper finds a delivery a minute after its message was due, and at once when no message is due", async () => {
  const [soon, late] = [await plan(), await plan()];
  await deliveries.postpone(soon, NOW, NOW + 15 * MINUTE);
  await deliveries.postpone(late, NOW, NOW + 16 * MINUTE);
  const { due, nextDueAt } = await deliveries.listDue(NOW + 15 * MINUTE);
  expect([due, nextDueAt]).toEqual([[], new Date(NOW + 16 * MINUTE).toISOString()]);
  expect((await dueAt(NOW + 16 * MINUTE)).sort()).toEqual([soon.event_id, late.event_id].sort());
});

test("held deliveries are listed by endpoint only, longest waiting first", async () => {
  const [first, second, third] = [await plan(), await plan(), await plan()];
  await deliveries.hold(second, NOW + 1);
  await deliveries.hold(first, NOW + 2);
  await deliveries.hold(third, NOW + 3);
  const parked = async (most: number) => (await deliveries.listHeld(ENDPOINT, most)).map(({ event_id }) => event_id);
  expect(await parked(2)).toEqual([second.event_id, first.event_id]);
  expect(await deliveries.listHeld({ ...ENDPOINT, endpoint_id: "other" }, 9)).toEqual([]);
  expect(await dueAt(NOW + 60 * MINUTE)).toEqual([]);
  // A failed probe moves its delivery behind the others.
  await deliveries.recordFailedProbe({ ...second, attempts: [{ ...attempt(500), probe: true }], fence: 1 }, NOW + 4);
  expect(await parked(9)).toEqual([first.event_id, third.event_id, second.event_id]);
  expect(await deliveries.get(second)).toMatchObject({ state: "parked", attempts: [{ probe: true }] });
});

test("one sweep dispatches at most 500 deliveries per index partition and leaves the rest to the next sweep", {
  tags: "deep",
}, async () => {
  // The last character of the event id selects the partition.
  run = 1_000;
  for (let batch = 0; batch < 52; batch++) {
    await Promise.all(
      Array.from({ length: 10 }, () => {
        run += 9;
        return plan();
      }),
    );
  }
  const { due, nextDueAt } = await deliveries.listDue(NOW + MINUTE);
  expect(due).toHaveLength(500);
  expect(nextDueAt).toBe(new Date(NOW + MINUTE).toISOString());
});
