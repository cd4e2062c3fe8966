import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventTable } from "../../../../lib/contract/resources.ts";
import type { NewEvent } from "../../../../lib/events/constructors/compose-event.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { appendToFeed } from "../../../../lib/services/events/append-to-feed.ts";
import { EventFeedStore } from "../../../../lib/store/events/event-feed.ts";
import { FEED_RETENTION_S } from "../../../../lib/store/events/feed-items.ts";
import { Table } from "../../../../lib/store/table.ts";
import { TeamScope } from "../../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../../lib/store/transaction.ts";
import { UsageStore } from "../../../../lib/store/usage/usage.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { SeededRandom } from "../../support/seeded-random.ts";
import { createTestEvent } from "../create-test-event.ts";
import { earlierAppend } from "./earlier-version.ts";

const START_MS = Date.parse("2026-03-01T12:00:00.000Z");
const DAY_MS = 86_400_000;
const FEEDS = 6;

let dynamodb: TestDynamodb;
let table: Table;
let deps: Parameters<typeof appendToFeed>[1];
let nowMs = START_MS;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  table = new Table(dynamodb.documents, eventTable.name);
  const write = (items: readonly WriteItem[]) => commit(dynamodb.documents, items);
  deps = { eventFeed: new EventFeedStore(table), usage: new UsageStore(table), commit: write };
  setPorts({ clock: { now: () => nowMs } });
});
afterAll(async () => {
  setPorts(undefined);
  await dynamodb.stop();
});

interface Appended {
  readonly id: string;
  readonly atS: number;
}

/** A feed beside a list of what it must have. */
class CheckedFeed {
  readonly scope: TeamScope;
  readonly all: Appended[] = [];

  constructor(teamId: string) {
    this.scope = TeamScope.grant(teamId);
  }

  #events(count: number): NewEvent[] {
    return Array.from({ length: count }, (_, at) => createTestEvent(this.scope.teamId, "u", this.all.length + at, 0));
  }

  #note(events: readonly NewEvent[]): void {
    const atS = Math.floor(nowMs / 1000);
    this.all.push(...events.map(({ reference }) => ({ id: reference.event_id, atS })));
  }

  async append(count: number): Promise<void> {
    const events = this.#events(count);
    const references = events.map(({ reference }) => reference);
    expect(await appendToFeed({ teamId: this.scope.teamId, events: references }, deps)).toBe(this.all.length + 1);
    this.#note(events);
  }

  /** Appends as a version without the tail does. */
  async appendEarlier(count: number): Promise<void> {
    const events = this.#events(count);
    const { teamId } = this.scope;
    const items = earlierAppend(eventTable.name, { teamId, events, after: this.all.length, nowMs });
    await commit(dynamodb.documents, items);
    this.#note(events);
  }

  /** Deletes pages that have expired, as DynamoDB does within days. */
  async expire(): Promise<void> {
    const input = {
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": `feed#${this.scope.teamId}` },
    };
    const page = { parse: (item: unknown) => item as { pk: string; sk: string; expires_at: number } };
    for await (const { pk, sk, expires_at } of table.queryAll(input, page as never) as AsyncGenerator<never>)
      if (expires_at * 1000 <= nowMs) await table.delete({ pk, sk });
  }

  async checkRead(after: number): Promise<void> {
    const read = await Array.fromAsync(deps.eventFeed.read(this.scope, after, nowMs));
    const young = this.all.flatMap(({ id, atS }, index) =>
      index >= after && (atS + FEED_RETENTION_S) * 1000 > nowMs ? [[index + 1, id, atS]] : [],
    );
    expect(read.map(({ sequence, event_id, appendedAtS }) => [sequence, event_id, appendedAtS])).toEqual(young);
  }

  /** Only events within the retention are certain to be found. */
  async checkSearch(fromMs: number, toMs: number): Promise<void> {
    const { eventFeed } = deps;
    const fromS = Math.floor(fromMs / 1000);
    const first = this.all.findIndex(({ atS }) => atS >= fromS);
    expect(await eventFeed.findSequenceBefore(this.scope, fromMs)).toBe(first === -1 ? this.all.length : first);
    const within = this.all.flatMap(({ id, atS }, index) =>
      atS >= fromS && atS <= Math.ceil(toMs / 1000) ? [[id, index + 1] as const] : [],
    );
    const searched = this.all.map(({ id }) => ({ event_id: id }));
    expect([...(await eventFeed.findSequences(this.scope, searched, { fromMs, toMs }))]).toEqual(within);
  }
}

const seeds = Array.from({ length: FEEDS }, (_, seed) => seed + 1);

describe("a feed of a tail and of pages of this version and the one before", () => {
  test.each(seeds)("is read from any position, and finds events by time (seed %i)", { tags: "deep" }, async (seed) => {
    const random = new SeededRandom(seed);
    nowMs = START_MS;
    const feed = new CheckedFeed(`team ${seed}`);
    for (let step = 0; step < 24; step++) {
      nowMs += random.integerBelow(random.pick([100, 2_000, 90_000]));
      const count = random.pick([1, 1, 1, 2, 3, 7, 8, 9, 12]);
      await (random.isWithinPercent(25) ? feed.appendEarlier(count) : feed.append(count));
      await feed.checkRead(random.integerBelow(feed.all.length + 1));
      const fromMs = random.pick(feed.all).atS * 1000 + random.integerBelow(3_000) - 1_000;
      await feed.checkSearch(fromMs, fromMs + random.integerBelow(120_000));
    }
  });

  test.each(seeds)(
    "lists no event that is thirty days old, in a page or in the tail (seed %i)",
    { tags: "deep" },
    async (seed) => {
      const random = new SeededRandom(100 + seed);
      nowMs = START_MS;
      const feed = new CheckedFeed(`old team ${seed}`);
      for (let step = 0; step < 14; step++) {
        nowMs += random.integerBelow(9) * DAY_MS + random.integerBelow(1_000);
        const count = random.pick([1, 1, 2, 3, 8]);
        await (random.isWithinPercent(25) ? feed.appendEarlier(count) : feed.append(count));
        if (random.isWithinPercent(50)) await feed.expire();
        await feed.checkRead(0);
        await feed.checkRead(random.integerBelow(feed.all.length + 1));
      }
      nowMs += 30 * DAY_MS;
      await feed.checkRead(0);
      expect(await Array.fromAsync(deps.eventFeed.read(feed.scope, 0, nowMs))).toEqual([]);
    },
  );
});
