import { DynamoDBDocumentClient, QueryCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { EventFeedStore } from "../../../lib/store/events/event-feed.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { createTestEvent } from "./create-test-event.ts";
import { NOW_MS, RelayFixture, type SeededTeam } from "./relay/relay-fixture.ts";

const DAY_MS = 86_400_000;
const at = (atMs: number) =>
  setPorts({ clock: { now: () => atMs }, ids: { uuid: () => "", bytes: (length) => Buffer.alloc(length) } });

let stage: RelayFixture;
let team: SeededTeam;
let other: SeededTeam;
beforeAll(async () => {
  stage = await RelayFixture.open();
  [team, other] = stage.teams as [SeededTeam, SeededTeam];
});
beforeEach(async () => {
  at(NOW_MS);
  await stage.clear();
});
afterAll(() => stage.close());

/** Writes and relays events of a user of the team. @param filling the number of extra characters in each body. */
async function publish(userId: string, places: readonly number[], filling = 0) {
  const events = places.map((place) => createTestEvent(team.teamId, userId, place, filling));
  for (const event of events) await stage.outbox.append(event, new Date(NOW_MS).toISOString());
  const references = events.map(({ reference }) => reference);
  await stage.relay(references);
  return references;
}

const range = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index);
const sequences = (page: readonly { sequence: number }[] | undefined) => page?.map(({ sequence }) => sequence);

describe("a relay batch", () => {
  test("is published in requests of ten and added to the feed in order by one transaction", async () => {
    const transactions: number[] = [];
    stage.onCommitted = (items) => void transactions.push(items.length);
    const [user = ""] = team.userIds;
    const references = await publish(user, range(40));
    expect(stage.bus.requestSizes).toEqual([10, 10, 10, 10]);
    expect(transactions).toEqual([41]);
    const page = await stage.list(team, 0, 500);
    expect(page?.map(({ event_id }) => event_id)).toEqual(references.map(({ event_id }) => event_id));
  });

  test("enters the feed by several transactions when it exceeds the limit of one", async () => {
    const transactions: number[] = [];
    stage.onCommitted = (items) => void transactions.push(items.length);
    const [user = ""] = team.userIds;
    await publish(user, range(100));
    expect(transactions).toEqual([97, 6]);
    expect(sequences(await stage.list(team, 0, 500))).toEqual(range(100, 1));
  });

  test("numbers the events of each team separately", async () => {
    const events = [team, other, team].map((of, place) => createTestEvent(of.teamId, of.userIds[0] ?? "", place));
    for (const event of events) await stage.outbox.append(event, new Date(NOW_MS).toISOString());
    await stage.relay(events.map(({ reference }) => reference));
    expect(sequences(await stage.list(team, 0, 500))).toEqual([1, 2]);
    expect(sequences(await stage.list(other, 0, 500))).toEqual([1]);
  });

  test("changes nothing when it is redelivered or contains an event twice", async () => {
    const references = await publish(team.userIds[0] ?? "", range(3));
    expect(await stage.relay([...references, ...references])).toEqual(range(6).map(() => true));
    expect(sequences(await stage.list(team, 0, 500))).toEqual([1, 2, 3]);
  });
});

describe("the feed", () => {
  test("continues after any sequence, with the requested number of events", async () => {
    await publish(team.userIds[0] ?? "", range(5));
    await publish(team.userIds[1] ?? "", range(120));
    expect(sequences(await stage.list(team, 0, 3))).toEqual([1, 2, 3]);
    expect(sequences(await stage.list(team, 3, 4))).toEqual([4, 5, 6, 7]);
    expect(sequences(await stage.list(team, 100, 500))).toEqual(range(25, 101));
    expect(await stage.list(team, 125, 500)).toEqual([]);
    expect(await stage.list(team, Number.MAX_SAFE_INTEGER, 1)).toEqual([]);
  });

  test("returns bodies as first built, stored with the event or separately", async () => {
    const events = [0, 1].map((place) => createTestEvent(team.teamId, team.userIds[0] ?? "", place));
    await publish(team.userIds[0] ?? "", [0]);
    await stage.outbox.append(events[1]!, new Date(NOW_MS).toISOString());
    await stage.relay([events[1]!.reference]);
    const apart = (await stage.readItems()).filter(({ sk }) => String(sk).startsWith("body#"));
    expect(apart).toHaveLength(1);
    expect((await stage.list(team, 0, 2))?.map(({ body }) => body)).toEqual(events.map(({ body }) => body));
    expect(await stage.outbox.getBody(events[0]!.reference)).toBe(JSON.stringify(events[0]!.body));
    expect(await stage.outbox.getBody(events[1]!.reference)).toBe(JSON.stringify(events[1]!.body));
  });

  test("returns the body of a team event", async () => {
    const { reference, body } = createTestEvent(team.teamId, team.userIds[0] ?? "", 0);
    const event = { reference: { ...reference, user_id: "" }, body };
    await stage.outbox.append(event, new Date(NOW_MS).toISOString());
    await stage.relay([event.reference]);
    expect((await stage.list(team, 0, 1))?.map((one) => one.body)).toEqual([body]);
  });

  test("ends a page before its bodies exceed the Lambda response limit, and continues after it", {
    tags: "deep",
  }, async () => {
    await publish(team.userIds[0] ?? "", range(70), 100_000);
    const first = (await stage.list(team, 0, 500)) ?? [];
    const rest = (await stage.list(team, first.length, 500)) ?? [];
    expect(JSON.stringify(first).length).toBeGreaterThan(3_000_000);
    expect(JSON.stringify(JSON.stringify(first)).length).toBeLessThan(4_300_000);
    expect([...first, ...rest].map(({ sequence }) => sequence)).toEqual(range(70, 1));
    expect([...first, ...rest].every(({ body }) => body !== null)).toBe(true);
  });

  test("reaches back thirty days, and returns younger events from any position", async () => {
    await publish(team.userIds[0] ?? "", range(2));
    at(NOW_MS + 20 * DAY_MS);
    await publish(team.userIds[1] ?? "", range(2));
    at(NOW_MS + 29 * DAY_MS);
    expect(sequences(await stage.list(team, 0, 500))).toEqual([1, 2, 3, 4]);
    at(NOW_MS + 30 * DAY_MS);
    expect(sequences(await stage.list(team, 0, 500))).toEqual([3, 4]);
  });

  test("continues its numbering after all events expired", async () => {
    await publish(team.userIds[0] ?? "", [0]);
    at(NOW_MS + 31 * DAY_MS);
    await publish(team.userIds[0] ?? "", [1]);
    expect(sequences(await stage.list(team, 0, 500))).toEqual([2]);
  });
});

describe("a read of the feed", () => {
  /** A feed whose successive queries return these pages of one event each. */
  function feedAnswering(...queries: (readonly number[])[]) {
    const answers = queries.map((firsts) => ({
      Items: firsts.map((first) => ({ first, entries: [{ event_id: `evt_${first}` }], expires_at: NOW_MS })),
    }));
    const query = vi.fn(() => answers.shift());
    // The feed has no tail.
    vi.spyOn(DynamoDBDocumentClient.prototype, "send").mockImplementation(async (command: object) =>
      command instanceof QueryCommand ? query() : {},
    );
    const feed = new EventFeedStore(new Table(DynamoDBDocumentClient.prototype, "events"));
    const read = () => Array.fromAsync(feed.read(TeamScope.grant("t"), 0, NOW_MS));
    return { read, query };
  }

  test("queries again for a page that was written during the query", async () => {
    const { read, query } = feedAnswering([1, 3], [2, 3, 5], [4, 5]);
    expect(sequences(await read())).toEqual([1, 2, 3, 4, 5]);
    expect(query).toHaveBeenCalledTimes(3);
  });

  test("skips a page that is still missing in the second query", async () => {
    const { read, query } = feedAnswering([4, 5], [4, 5]);
    expect(sequences(await read())).toEqual([4, 5]);
    expect(query).toHaveBeenCalledTimes(2);
  });
});

test("the feed position at an instant is found among pages of any size", async () => {
  const [user = ""] = team.userIds;
  const sizes = [1, 3, 1, 7, 2];
  let place = 0;
  for (const [hour, size] of sizes.entries()) {
    at(NOW_MS + hour * 3_600_000);
    await publish(user, range(size, place));
    place += size;
  }
  const scope = TeamScope.grant(team.teamId);
  const before = (hour: number) => stage.feed.findSequenceBefore(scope, NOW_MS + hour * 3_600_000);
  const found = await Promise.all([-1, 0, 0.5, 1, 2, 3, 4, 4.5].map(before));
  expect(found).toEqual([0, 0, 1, 1, 4, 5, 12, 14]);
});

describe("the erasure of a user", () => {
  test("removes the user's id from the feed and keeps the positions of all events", async () => {
    const [gone = "", stays = ""] = team.userIds;
    await publish(gone, [0, 1]);
    await publish(stays, [2]);
    await publish(gone, [3]);
    const before = (await stage.list(team, 0, 500)) ?? [];
    await stage.erase(team, gone);
    const after = (await stage.list(team, 0, 500)) ?? [];
    expect(after.map(({ sequence, event_id }) => [sequence, event_id])).toEqual(
      before.map(({ sequence, event_id }) => [sequence, event_id]),
    );
    expect(after.map(({ body }) => body?.data.place ?? null)).toEqual([null, null, 2, null]);
    expect(JSON.stringify(await stage.readItems())).not.toContain(gone);
  });

  test("expires a feed page a week before the events that refer to it", async () => {
    await publish(team.userIds[0] ?? "", range(8));
    // The next event moves those before it from the tail to a page.
    await publish(team.userIds[0] ?? "", [8]);
    const items = (await stage.readItems()) as { pk: string; sk: string; expires_at?: number }[];
    const expiry = (isIt: (item: { pk: string; sk: string }) => boolean) => items.find(isIt)?.expires_at ?? 0;
    const page = expiry(({ pk }) => pk === `feed#${team.teamId}`);
    const event = expiry(({ sk }) => sk.startsWith("evt_"));
    expect([page, event - page]).toEqual([NOW_MS / 1000 + 30 * 86_400, 7 * 86_400]);
  });
});
