import * as z from "zod";
import type { FeedState } from "../outbox-feed.ts";

const storedEvent = z.object({ sk: z.string(), sequence: z.number().default(0), unsent_shard: z.string().optional() });
const entries = z.array(z.object({ event_id: z.string() }));
const storedTail = z.object({ sk: z.literal("last"), last: z.number(), entries: entries.default([]) });
const storedPage = z.object({ first: z.number(), entries });

/** The stored events of one team, numbered as the model does, and their places in the feed. */
export class StoredFeed {
  isStored: readonly number[];
  isUnsent: readonly number[];
  #sequence: readonly number[] = [];
  #feed: readonly number[] = [];
  readonly #ids: readonly string[];

  /** @param ids ids of the events in the order of the model. */
  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.isStored = ids.map(() => 0);
    this.isUnsent = this.isStored;
  }

  /** Takes what the table and the bus have now. @returns whether a state of the model shows the same. */
  update(items: readonly unknown[], published: readonly string[]): (state: FeedState) => boolean {
    const events = items.flatMap((item) => storedEvent.safeParse(item).data ?? []);
    const found = this.#ids.map((id) => events.find(({ sk }) => sk === id));
    this.isStored = found.map((event) => (event ? 1 : 0));
    this.isUnsent = found.map((event) => (event?.unsent_shard === undefined ? 0 : 1));
    this.#sequence = found.map((event) => event?.sequence ?? 0);
    const tail = items.flatMap((item) => storedTail.safeParse(item).data ?? []).at(0) ?? { last: 0, entries: [] };
    const pages = items.flatMap((item) => storedPage.safeParse(item).data ?? []);
    const feed = [0];
    const place = (first: number, ids: readonly { event_id: string }[]) => {
      for (const [index, { event_id }] of ids.entries()) feed[first + index] = this.#ids.indexOf(event_id) + 1;
    };
    for (const page of pages) place(page.first, page.entries);
    place(tail.last - tail.entries.length + 1, tail.entries);
    this.#feed = feed;
    return this.#compare(tail.last, published);
  }

  /** The store for the report of a refusal. */
  describe(): string {
    return `stored ${this.isStored} unsent ${this.isUnsent} sequences ${this.#sequence} feed ${this.#feed}`;
  }

  #compare(last: number, published: readonly string[]): (state: FeedState) => boolean {
    const isPublished = this.#ids.map((id) => (published.includes(id) ? 1 : 0));
    const [stored, unsent, sequence, feed] = [this.isStored, this.isUnsent, this.#sequence, this.#feed];
    const isSame = (values: readonly number[], of: readonly number[]) =>
      of.every((one, at) => one === (values[at] ?? 0));
    return (state) =>
      state.last === last &&
      isSame(stored, state.isStored) &&
      isSame(unsent, state.isUnsent) &&
      isSame(sequence, state.sequence) &&
      isSame(isPublished, state.isPublished) &&
      isSame(feed, state.feed);
  }
}
