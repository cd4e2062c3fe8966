import * as z from "zod";
import { eventFeed } from "../contract/resources.ts";
import type { EventReference } from "../events/envelope.ts";
import { ConditionFailed } from "./condition-failed.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** An event of a team by its place in the order in which they were published. */
export interface FeedEntry {
  readonly sequence: number;
  readonly event_id: string;
  /** Empty where the event belongs to the team alone, absent once its user is erased. */
  readonly user_id?: string | undefined;
}

/** Where a feed stood, and the events that go on from there. */
export interface FeedPage {
  readonly teamId: string;
  /** The sequence of the event before the first of these. */
  readonly after: number;
  readonly events: readonly EventReference[];
}

/** A transaction takes 100 items: the counter, the page, the usage and the mark of each event. */
export const MOST_EVENTS_PER_PAGE = 97;
/** Events can be read from the feed for this long. */
const KEPT_S = 30 * 24 * 60 * 60;
/** Pages that one request of a read asks for, whatever they hold. */
const PAGES_PER_READ = 25;
/** Pages that are changed at the same time. */
const CHANGES_AT_ONCE = 10;
/** As many digits as the largest safe integer has, so that numbers sort as text. */
const SEQUENCE_DIGITS = 16;

const counterItem = z.object({ last: z.number().int() });
const pageItem = z.object({
  first: z.number().int(),
  entries: z.array(z.object({ event_id: z.string(), user_id: z.string().optional() })),
  expires_at: z.number(),
});

const counterKey = (teamId: string): Key => ({ pk: `${eventFeed.keyPrefix}last#${teamId}`, sk: "last" });

/** A page lies under its last sequence, so the first one from `after + 1` on is the one to begin with. */
const pageKey = (teamId: string, last: number): Key => ({
  pk: `${eventFeed.keyPrefix}${teamId}`,
  sk: String(last).padStart(SEQUENCE_DIGITS, "0"),
});

/** The name by which an event knows the page that lists it. */
export const pageName = ({ teamId, after, events }: FeedPage): string => pageKey(teamId, after + events.length).sk;

/** The events of each team in the order in which they were published, numbered from 1 without a gap. */
export class EventFeedStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The last sequence that was given to an event of the team; 0 when there is none. */
  async last(teamId: string): Promise<number> {
    return (await this.#table.get(counterKey(teamId), counterItem))?.last ?? 0;
  }

  /** Appends a page: the counter, only while it stands where the page begins, and the page itself. */
  appendItems(page: FeedPage, nowMs: number): [counter: WriteItem, page: WriteItem] {
    const { teamId, after, events } = page;
    const last = after + events.length;
    const entries = events.map(({ event_id, user_id }) => ({ event_id, user_id }));
    const item = { ...pageKey(teamId, last), first: after + 1, entries, expires_at: Math.floor(nowMs / 1000) + KEPT_S };
    const counter = {
      TableName: this.#table.name,
      Key: counterKey(teamId),
      UpdateExpression: "SET #last = :last",
      ConditionExpression: after === 0 ? isNew : "#last = :after",
      ExpressionAttributeNames: { "#last": "last" },
      ExpressionAttributeValues: { ":last": last, ...(after === 0 ? {} : { ":after": after }) },
    };
    return [{ Update: counter }, { Put: { TableName: this.#table.name, Item: item, ConditionExpression: isNew } }];
  }

  /** The events after a sequence in order; what is older than the feed goes back is left out. */
  read(scope: TeamScope, after: number, nowMs: number): AsyncGenerator<FeedEntry> {
    return this.#read(scope, { after, nowMs, isSecondLook: false });
  }

  /**
   * A query may overtake a page that is being written. Who then sees a later page finds it at a second look, because each
   * page is written after the one before it; what is missing even then has expired.
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

  /** The sequence before the first event that was published at or after an instant. @returns the last one if there is none. */
  async before(scope: TeamScope, sinceMs: number): Promise<number> {
    const expiresAt = Math.floor(sinceMs / 1000) + KEPT_S;
    let [low, high] = [0, await this.last(scope.teamId)];
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
    return this.#table.all(input, pageItem);
  }

  /** Takes a user's id out of pages; the entries stay, so that the feed has no gap. @param pages their names. */
  async forgetUser(scope: TeamScope, userId: string, pages: readonly string[]): Promise<void> {
    for (let first = 0; first < pages.length; first += CHANGES_AT_ONCE) {
      const some = pages.slice(first, first + CHANGES_AT_ONCE);
      await Promise.all(some.map((sk) => this.#forgetIn({ pk: `${eventFeed.keyPrefix}${scope.teamId}`, sk }, userId)));
    }
  }

  /** Entries of a page never move, so the removal of a user's needs no look at what else was changed meanwhile. */
  async #forgetIn(key: Key, userId: string): Promise<void> {
    const { entries = [] } = (await this.#table.get(key, pageItem)) ?? {};
    const ids = entries.flatMap(({ user_id }, index) => (user_id === userId ? [`entries[${index}].user_id`] : []));
    if (ids.length === 0) return;
    const change = { UpdateExpression: `REMOVE ${ids.join(", ")}`, ConditionExpression: "attribute_exists(pk)" };
    try {
      await this.#table.update(key, change);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}
