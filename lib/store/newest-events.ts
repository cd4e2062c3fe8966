import { newestEvents } from "../contract/resources.ts";
import { type EventReference, eventReference } from "../events/envelope.ts";
import { ConditionFailed } from "./condition-failed.ts";
import type { ReadItem } from "./read-item.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Longer than the events themselves are kept. */
const KEPT_S = 31 * 24 * 60 * 60;

const partition = (teamId: string, userId: string) => `${newestEvents.keyPrefix}${teamId}#${userId}`;
const newestKey = ({ team_id, user_id, key }: EventReference): Key => ({ pk: partition(team_id, user_id), sk: key });

/** The event with the highest version of each key that has had more than one. */
export class NewestEventStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Notes an event that replaces earlier ones of its key, unless a newer one is noted. It is noted before it is written,
   * so that from its first delivery on nobody sends an older one. @param now ISO 8601.
   */
  async note(reference: EventReference, now: string): Promise<void> {
    const item = { ...newestKey(reference), ...reference, expires_at: Math.floor(Date.parse(now) / 1000) + KEPT_S };
    try {
      await this.#table.put(item, {
        ConditionExpression: "attribute_not_exists(pk) OR version < :version",
        ExpressionAttributeValues: { ":version": reference.version },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** The newest event of the same key, to be read together with other things; undefined where there never was another. */
  reading(reference: EventReference): ReadItem<EventReference | undefined> {
    return this.#table.reading(newestKey(reference), eventReference);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope.teamId, userId));
  }
}
