import type { DayCounts } from "../../domain/usage/usage-day.ts";
import type { EventReference } from "../../events/catalogue/envelope.ts";
import { retryConditionFailed, unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import { appendItems, appendUpdate, type FeedAddition, type FeedWrites, toDayCounts } from "./feed-append.ts";
import {
  appendedAtS,
  emptyTail,
  FEED_RETENTION_S,
  type FeedPage,
  type FeedTail,
  pageItem,
  pageKey,
  tailItem,
  tailKey,
  tailPage,
} from "./feed-items.ts";

/** A feed entry: an event and its sequence in publication order. */
export interface FeedEntry {
  readonly sequence: number;
  readonly event_id: string;
  /** Empty for an event of the team alone; absent once its user is erased. */
  readonly user_id?: string | undefined;
  /** When the event was appended, epoch seconds. */
  readonly appendedAtS: number;
}

/** Pages that one query requests. */
const PAGES_PER_READ = 25;

/** The event feed of each team: events in publication order, numbered from 1 without gaps. */
export class EventFeedStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the end of a team's feed, which {@link appendItems} continues. */
  async getTail(teamId: string): Promise<FeedTail> {
    return (await this.#table.get(tailKey(teamId), tailItem)) ?? emptyTail;
  }

  /** Returns the counts of the day that the usage table does not have yet. */
  async getOpenCounts(teamId: string): Promise<DayCounts | undefined> {
    return toDayCounts(await this.getTail(teamId));
  }

  /**
   * Appends events in one write, if the end of the feed has room for them and counts the same day.
   * @returns the sequence of the first event; undefined if {@link appendItems} must append them.
   */
  async tryAppend(addition: FeedAddition): Promise<number | undefined> {
    const item = await unlessConditionFailed(this.#table.update(tailKey(addition.teamId), appendUpdate(addition)));
    return item && tailItem.parse(item).last - addition.events.length + 1;
  }

  /** Builds the writes that append events after the end of the feed that was read. */
  appendItems(tail: FeedTail, addition: FeedAddition): FeedWrites {
    return appendItems(this.#table.name, tail, addition);
  }

  /** Yields the events after a sequence in order. Events older than the retention are absent. */
  async *read(scope: TeamScope, after: number, nowMs: number): AsyncGenerator<FeedEntry> {
    for await (const entry of this.#entriesAfter(scope.teamId, after)) {
      if ((entry.appendedAtS + FEED_RETENTION_S) * 1000 > nowMs) yield entry;
    }
  }

  /**
   * Pages follow one another without a gap, and the tail continues the last one. A gap means that the tail moved to a
   * page, or that a version without the tail wrote a page, after the query. A second look finds that page. Events
   * before a gap that stays have expired.
   */
  async *#entriesAfter(teamId: string, after: number, isSecondLook = false): AsyncGenerator<FeedEntry> {
    let last = after;
    let isGapKnown = isSecondLook;
    for await (const page of this.#pagesAndTail(teamId, after + 1)) {
      if (page.first > last + 1 && !isGapKnown) return yield* this.#entriesAfter(teamId, last, true);
      isGapKnown = false;
      for (const [index, entry] of page.entries.entries()) {
        const sequence = page.first + index;
        if (sequence <= last) continue;
        const { event_id, user_id } = entry;
        yield { sequence, event_id, user_id, appendedAtS: appendedAtS(page, entry) };
      }
      last = Math.max(last, page.first + page.entries.length - 1);
    }
  }

  async *#pagesAndTail(teamId: string, sequence: number): AsyncGenerator<FeedPage> {
    const { pk, sk } = pageKey(teamId, sequence);
    const input = {
      KeyConditionExpression: "pk = :pk AND sk >= :from",
      ExpressionAttributeValues: { ":pk": pk, ":from": sk },
      Limit: PAGES_PER_READ,
    };
    yield* this.#table.queryAll(input, pageItem);
    const tail = tailPage(await this.getTail(teamId));
    if (tail) yield tail;
  }

  /**
   * Returns the sequence before the first event published at or after an instant; the last sequence without such an
   * event.
   */
  async findSequenceBefore(scope: TeamScope, sinceMs: number): Promise<number> {
    const sinceS = Math.floor(sinceMs / 1000);
    let [low, high] = [0, (await this.getTail(scope.teamId)).last];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const page = await this.#pageOf(scope.teamId, middle + 1);
      const newest = page?.entries.at(-1);
      if (!page || !newest || appendedAtS(page, newest) >= sinceS) high = middle;
      else low = page.first + page.entries.length - 1;
    }
    for await (const { sequence, appendedAtS } of this.#entriesAfter(scope.teamId, low)) {
      if (appendedAtS >= sinceS) return sequence - 1;
      low = sequence;
    }
    return low;
  }

  /** Returns the sequences of events that were appended within a range of instants (epoch ms, both inclusive), by id. */
  async findSequences(
    scope: TeamScope,
    events: readonly Pick<EventReference, "event_id">[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
  ): Promise<Map<string, number>> {
    const ids = new Set(events.map(({ event_id }) => event_id));
    const found = new Map<string, number>();
    const after = await this.findSequenceBefore(scope, fromMs);
    for await (const { sequence, event_id, appendedAtS } of this.#entriesAfter(scope.teamId, after)) {
      if (appendedAtS > Math.ceil(toMs / 1000) || found.size === ids.size) break;
      if (ids.has(event_id)) found.set(event_id, sequence);
    }
    return found;
  }

  async #pageOf(teamId: string, sequence: number): Promise<FeedPage | undefined> {
    const { pk, sk } = pageKey(teamId, sequence);
    const input = {
      KeyConditionExpression: "pk = :pk AND sk >= :from",
      ExpressionAttributeValues: { ":pk": pk, ":from": sk },
      Limit: 1,
    };
    return (await this.#table.query(input, pageItem)).items[0];
  }

  /**
   * Removes a user's id from the tail and from the pages of these sequences. The entries stay, so the feed has no gap.
   * Starts with the tail: its entries move to a page, never back.
   */
  async removeUser(scope: TeamScope, userId: string, sequences: readonly number[]): Promise<void> {
    const { teamId } = scope;
    await retryConditionFailed(async () => {
      const tail = await this.getTail(teamId);
      await this.#removeFrom(tailKey(teamId), tail, userId, tail.revision);
    });
    const open = sequences.toSorted((a, b) => a - b);
    for (let next = open[0]; next !== undefined; next = open[0]) {
      const page = await this.#pageOf(teamId, next);
      if (!page) return;
      const last = page.first + page.entries.length - 1;
      await unlessConditionFailed(this.#removeFrom(pageKey(teamId, last), page, userId));
      while ((open[0] ?? Number.POSITIVE_INFINITY) <= last) open.shift();
    }
  }

  /** Entries of a page never move, so only a tail needs its revision. @throws ConditionFailed if the tail has changed. */
  async #removeFrom(key: Key, { entries }: Pick<FeedPage, "entries">, userId: string, revision?: number) {
    const ids = entries.flatMap((entry, index) => (entry.user_id === userId ? [`entries[${index}].user_id`] : []));
    if (ids.length === 0) return;
    const remove = `REMOVE ${ids.join(", ")}`;
    const change =
      revision === undefined
        ? { UpdateExpression: remove, ConditionExpression: "attribute_exists(pk)" }
        : {
            UpdateExpression: `SET revision = :next ${remove}`,
            ConditionExpression: "revision = :seen",
            ExpressionAttributeValues: { ":seen": revision, ":next": revision + 1 },
          };
    await this.#table.update(key, change);
  }
}
