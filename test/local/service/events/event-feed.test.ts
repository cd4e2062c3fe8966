import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

const DAY_MS = 86_400_000;
const minute = (at: number) => ({ heartrate: createHeartRates(`2026-05-01T08:${String(at).padStart(2, "0")}:00Z`, 1) });

let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(async () => {
  service.cloud.faults.clear();
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
});
afterAll(() => service.stop());

/** Reads a page of the event feed of a team. */
async function list(key: string, query: Readonly<Record<string, number>> = {}) {
  const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const { status, body } = await service.call("GET", `/v2/events?${text}`, { key });
  if (status !== 200) throw new Error(`no page: ${JSON.stringify(body)}`);
  return body as {
    events: { sequence: number; event_id: string; body: { event_type: string } | null }[];
    next: number;
  };
}

const sequences = ({ events }: Awaited<ReturnType<typeof list>>) => events.map(({ sequence }) => sequence);

async function newTeam(name: string) {
  const { key } = await service.createTeam(name);
  return { key, userId: await service.createUser("the user", key) };
}

test("a receiver that missed events finds them in the feed with the same ids and bodies", async () => {
  let isUp = true;
  const receiver = await Receiver.start(service, () => (isUp ? 204 : 500));
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver);
  const userId = await service.createUser("the user", key);
  await ingestBatch(service, userId, minute(1), { key });
  isUp = false;
  await ingestBatch(service, userId, minute(2), { key });
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps: 7 }] }, { key });
  const delivered = new Map(receiver.received.map(({ headers, body }) => [headers["webhook-id"], body]));
  const { events, next } = await list(key);
  expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(next).toBe(3);
  expect(events.map(({ body }) => body)).toEqual(events.map(({ event_id }) => delivered.get(event_id)));
});

test("the feed is read from `next` to `next`, and ends after the newest event", async () => {
  const { key, userId } = await newTeam("Following");
  for (const at of [1, 2, 3, 4, 5]) await ingestBatch(service, userId, minute(at), { key });
  const first = await list(key, { limit: 2 });
  const second = await list(key, { after: first.next, limit: 2 });
  const third = await list(key, { after: second.next, limit: 2 });
  expect([first, second, third].map(sequences)).toEqual([[1, 2], [3, 4], [5]]);
  expect(await list(key, { after: third.next })).toEqual({ events: [], next: 5 });
  expect(await list(key, { after: 900 })).toEqual({ events: [], next: 900 });
});

test("a team sees no events of another team", async () => {
  const { key, userId } = await newTeam("Seen");
  const other = await newTeam("Unseen");
  await ingestBatch(service, userId, minute(1), { key });
  expect(sequences(await list(key))).toEqual([1]);
  expect(await list(other.key)).toEqual({ events: [], next: 0 });
});

test.each(["after=-1", "after=x", "after=1.5", "after=9007199254740992", "limit=0", "limit=501"])(
  "a query with %s is refused",
  async (query) => {
    const answer = await service.call("GET", `/v2/events?${query}`);
    expect([answer.status, answer.body.code]).toEqual([422, "validation_failed"]);
  },
);

test("an event of a deleted user keeps its position without a body; an undo restores the body and an erasure does not", {
  tags: "deep",
}, async () => {
  const { key, userId } = await newTeam("Deleting");
  const stays = await service.createUser("another", key);
  await ingestBatch(service, userId, minute(1), { key });
  await ingestBatch(service, stays, minute(2), { key });
  const types = async () => (await list(key)).events.map(({ body }) => body?.event_type ?? null);
  const type = "daily.data.heartrate.created";
  expect(await types()).toEqual([type, type]);
  await service.call("DELETE", `/v2/user/${userId}`, { key });
  expect(await types()).toEqual([null, type]);
  await service.call("POST", `/v2/user/undo_delete?user_id=${userId}`, { key });
  expect(await types()).toEqual([type, type]);
  await service.call("DELETE", `/v2/user/${userId}`, { key });
  await service.advance(8 * DAY_MS);
  expect(await types()).toEqual([null, type]);
  expect(sequences(await list(key))).toEqual([1, 2]);
  expect(JSON.stringify(await list(key))).not.toContain(userId);
});

test.each([
  { service: "events", mode: "fail_before" },
  { service: "dynamodb", mode: "fail_after" },
] as const)(
  "an event that the relay could not finish is listed once by the sweeper ($service, $mode)",
  async (fault) => {
    const { key, userId } = await newTeam(`Struck ${fault.service}`);
    service.cloud.faults.add({ ...fault, function: findFunctionName(service, "relayEvents") });
    await ingestBatch(service, userId, minute(1), { key });
    await service.advance(3 * 60_000);
    service.cloud.faults.clear();
    await ingestBatch(service, userId, minute(2), { key });
    const { events } = await list(key);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2]);
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(2);
  },
);
