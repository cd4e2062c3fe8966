import * as z from "zod";
import { eventFeed } from "../../contract/resources.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** A feed entry: an event and its sequence in publication order. */
export interface FeedEntry {
  readonly sequence: number;
  readonly event_id: string;
  /** Empty for an event of the team alone; absent once its user is erased. */
  readonly user_id?: string | undefined;
}

/** A page to append: the events after a sequence. */
export interface FeedPage {
  readonly teamId: string;
  /** Sequence of the event before the first of these. */
  readonly after: number;
  readonly events: readonly EventReference[];
}

/**
 * Maximum events of a page. A transaction takes 100 items: the counter, the page, the usage, and the update of each
 * event.
 */
export const MAX_EVENTS_PER_PAGE = 97;
/** Retention of the feed. */
const KEPT_S = 30 * 24 * 60 * 60;
/** Pages that one query requests. */
const PAGES_PER_READ = 25;
/** Concurrent updates of pages. */
const MAX_CONCURRENT_UPDATES = 10;
/** Digits of the largest safe integer, so that sequences sort as text. */
const SEQUENCE_DIGITS = 16;

const counterItem = z.object({ last: z.number().int() });
const pageItem = z.object({
  first: z.number().int(),
  entries: z.array(z.object({ event_id: z.string(), user_id: z.string().optional() })),
  expires_at: z.number(),
});

const counterKey = (teamId: string): Key => ({ pk: `${eventFeed.keyPrefix}last#${teamId}`, sk: "last" });

/**
 * The key of a page is its last sequence, so the first page with a key of at least `after + 1` contains the next event.
 */
const pageKey = (teamId: string, last: number): Key => ({
  pk: `${eventFeed.keyPrefix}${teamId}`,
  sk: String(last).padStart(SEQUENCE_DIGITS, "0"),
});

/** Returns the name of a page, which its events store. */
export const feedPageName = ({ teamId, after, events }: FeedPage): string => pageKey(teamId, after + events.length).sk;

/** The event feed of each team: events in publication order, numbered from 1 without gaps. */
export class EventFeedStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the last sequence of a team; 0 without events. */
  async getLastSequence(teamId: string): Promise<number> {
    return (await this.#table.get(counterKey(teamId), counterItem))?.last ?? 0;
  }

  /** Builds the writes that append a page: the counter, on condition that it equals `after`, and the page. */
  appendItems(page: FeedPage, nowMs: number): [counter: WriteItem, page: WriteItem] {
    const { teamId, after, events } = page;
    const last = after + events.length;
    const entries = events.map(({ event_id, user_id }) => ({ event_id, user_id }));
    const item = { ...pageKey(teamId, last), first: after + 1, entries, expires_at: Math.floor(nowMs / 1000) + KEPT_S };
    const counter = {
      TableName: this.#table.name,
      Key: counterKey(teamId),
      UpdateExpression: "SET #last = :last",
      ConditionExpression: after === 0 ? NOT_EXISTS : "#last = :after",
      ExpressionAttributeNames: { "#last": "last" },
      ExpressionAttributeValues: { ":last": last, ...(after === 0 ? {} : { ":after": after }) },
    };
    return [{ Update: counter }, { Put: { TableName: this.#table.name, Item: item, ConditionExpression: NOT_EXISTS } }];
  }

  /** Yields the events after a sequence in order. Events older than the retention are absent. */
  read(scope: TeamScope, after: number, nowMs: number): AsyncGenerator<FeedEntry> {
    return this.#read(scope, { after, nowMs, isSecondLook: false });
  }

  /**
   * A query can miss a page that is being written. If the reader sees a later page, a second query finds the missing
   * one, because pages are written in order. A page that is missing from the second query has expired.
   */
  async *#read(
    scope: TeamScope,
    { after, nowMs, isSecondLook }: { after: number; nowMs: number; isSecondLook: boolean },
  ): AsyncGenerator<FeedEntry> {
    let last = after;
    let isGapKnown = isSecondLook;
    for await (const { first, entries, expires_at } of this.#pagesFrom(scope, after + 1)) {
      if (expires_at * 1000 <= nowMs) continue;
      if (first > last + 1 && !isGapKnown) return yield* this.#read(scope, { after: last, nowMs, isSecondLook: true });
      isGapKnown = false;
      for (const [index, entry] of entries.entries()) {
        if (first + index > last) yield { sequence: first + index, ...entry };
      }
      last = first + entries.length - 1;
    }
  }

  /**
   * Returns the sequence before the first event published at or after an instant; the last sequence without such an
   * event.
   */
  async findSequenceBefore(scope: TeamScope, sinceMs: number): Promise<number> {
    const expiresAt = Math.floor(sinceMs / 1000) + KEPT_S;
    let [low, high] = [0, await this.getLastSequence(scope.teamId)];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const { pk, sk } = pageKey(scope.teamId, middle + 1);
      const input = {
        KeyConditionExpression: "pk = :pk AND sk >= :from",
        ExpressionAttributeValues: { ":pk": pk, ":from": sk },
        Limit: 1,
      };
      const [page] = (await this.#table.query(input, pageItem)).items;
      if (!page || page.expires_at >= expiresAt) high = middle;
      else low = page.first + page.entries.length - 1;
    }
    return low;
  }

  #pagesFrom(scope: TeamScope, sequence: number) {
    const { pk, sk } = pageKey(scope.teamId, sequence);
    const input = {
      KeyConditionExpression: "pk = :pk AND sk >= :from",
      ExpressionAttributeValues: { ":pk": pk, ":from": sk },
      Limit: PAGES_PER_READ,
    };
    return this.#table.queryAll(input, pageItem);
  }

  /** Removes a user's id from pages. The entries stay, so the feed has no gap. @param pages names of the pages. */
  async removeUser(scope: TeamScope, userId: string, pages: readonly string[]): Promise<void> {
    for (let first = 0; first < pages.length; first += MAX_CONCURRENT_UPDATES) {
      const some = pages.slice(first, first + MAX_CONCURRENT_UPDATES);
      await Promise.all(some.map((sk) => this.#forgetIn({ pk: `${eventFeed.keyPrefix}${scope.teamId}`, sk }, userId)));
    }
  }

  /** Entries of a page never move, so concurrent updates do not matter. */
  async #forgetIn(key: Key, userId: string): Promise<void> {
    const { entries = [] } = (await this.#table.get(key, pageItem)) ?? {};
    const ids = entries.flatMap(({ user_id }, index) => (user_id === userId ? [`entries[${index}].user_id`] : []));
    if (ids.length === 0) return;
    const change = { UpdateExpression: `REMOVE ${ids.join(", ")}`, ConditionExpression: "attribute_exists(pk)" };
    await unlessConditionFailed(this.#table.update(key, change));
  }
}
