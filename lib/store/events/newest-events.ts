import { newestEvents } from "../../contract/resources.ts";
import { type EventReference, eventReference } from "../../events/catalogue/envelope.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { ReadItem } from "../read-item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Longer than the retention of the events. */
const KEPT_S = 31 * 24 * 60 * 60;

const partition = (teamId: string, userId: string) => `${newestEvents.keyPrefix}${teamId}#${userId}`;
const newestKey = ({ team_id, user_id, key }: EventReference): Key => ({ pk: partition(team_id, user_id), sk: key });

/** The newest event of each key that has had more than one version. */
export class NewestEventStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Records an event that replaces earlier ones of its key, unless a newer one is recorded. The caller records it
   * before it writes the event: from its first delivery on, no older event is sent.
   * @param now ISO 8601.
   */
  async recordNewest(reference: EventReference, now: string): Promise<void> {
    const item = { ...newestKey(reference), ...reference, expires_at: Math.floor(Date.parse(now) / 1000) + KEPT_S };
    await unlessConditionFailed(
      this.#table.put(item, {
        ConditionExpression: "attribute_not_exists(pk) OR version < :version",
        ExpressionAttributeValues: { ":version": reference.version },
      }),
    );
  }

  /**
   * Returns a read of the newest event of the same key for a batch of reads; undefined if the key has one version only.
   */
  readItem(reference: EventReference): ReadItem<EventReference | undefined> {
    return this.#table.readItem(newestKey(reference), eventReference);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope.teamId, userId));
  }
}
