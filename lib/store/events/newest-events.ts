import { newestEvents } from "../../contract/resources.ts";
import { type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { connectionPlace, replacementKeyOf } from "../../events/catalogue/replaced-events.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Longer than the retention of the events. */
const KEPT_S = 31 * 24 * 60 * 60;

const partition = (teamId: string, userId: string) => `${newestEvents.keyPrefix}${teamId}#${userId}`;
const newestKey = (event: EventReference): Key => ({
  pk: partition(event.team_id, event.user_id),
  sk: replacementKeyOf(event),
});

/** The newest of the events that replace each other, where there has been more than one version. */
export class NewestEventStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Records an event that replaces earlier ones, unless a newer one is recorded. The caller records it before it
   * publishes the event: from its first delivery on, no older event is sent.
   * @param now ISO 8601.
   */
  async recordNewest(reference: EventReference, now: string): Promise<void> {
    const expires_at = Math.floor(Date.parse(now) / 1000) + KEPT_S;
    const place = connectionPlace(reference);
    const [name, value] = place === undefined ? ["version", reference.version] : ["place", place];
    const item = { ...newestKey(reference), ...reference, [name]: value, expires_at };
    await unlessConditionFailed(
      this.#table.put(item, {
        ConditionExpression: "attribute_not_exists(pk) OR #rank < :rank",
        ExpressionAttributeNames: { "#rank": name },
        ExpressionAttributeValues: { ":rank": value },
      }),
    );
  }

  /**
   * Returns a read of the newest of the events that may replace this one, for a batch of reads; undefined if there is
   * one version only.
   */
  readItem(reference: EventReference): ReadItem<EventReference | undefined> {
    return this.#table.readItem(newestKey(reference), eventReference);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope.teamId, userId));
  }
}
