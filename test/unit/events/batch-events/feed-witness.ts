import type { TeamScope } from "../../../../lib/store/team-scope.ts";
import type { FakeEventBus } from "../relay/fake-event-bus.ts";
import type { WireRequest } from "./batch-stage.ts";

const TAIL_PREFIX = "feed#last#";

/** Watches the feed: its events are published before they are numbered, follow one another, and keep their numbers. */
export class FeedWitness {
  readonly #bus: FakeEventBus;
  readonly #broken: string[];
  /** Event ids by team and sequence. */
  readonly #seen = new Map<string, string>();
  /** Appends by one write. */
  singleWrites = 0;

  constructor(bus: FakeEventBus, broken: string[]) {
    this.#bus = bus;
    this.#broken = broken;
  }

  break(rule: string): void {
    this.#broken.push(rule);
  }

  isPublished(eventId: string): boolean {
    return this.#bus.acceptedIds.includes(eventId);
  }

  /** Checks the entries that a request appended to the end of a feed. */
  notice({ input }: WireRequest): void {
    const isTail = input.Key?.pk?.S?.startsWith(TAIL_PREFIX) ?? false;
    const appended = isTail ? (input.ExpressionAttributeValues?.[":entries"]?.L ?? []) : [];
    if (appended.length > 0) this.singleWrites++;
    const written = (input.TransactItems ?? []).flatMap(({ Put }) =>
      Put?.Item.pk?.S?.startsWith(TAIL_PREFIX) ? (Put.Item.entries?.L ?? []) : [],
    );
    for (const { M } of [...appended, ...written]) {
      const id = M.event_id?.S ?? "";
      if (!this.isPublished(id)) this.break(`${id} has its sequence before it is published`);
    }
  }

  /** Checks a page that a reader got. */
  see({ teamId }: TeamScope, after: number, page: readonly { sequence: number; event_id: string }[]): void {
    for (const [place, { sequence, event_id }] of page.entries()) {
      const name = `${teamId} ${sequence}`;
      if (sequence !== after + 1 + place) this.break(`${name} follows ${after + place}`);
      if ((this.#seen.get(name) ?? event_id) !== event_id) this.break(`${name} was another event before`);
      this.#seen.set(name, event_id);
    }
  }
}
