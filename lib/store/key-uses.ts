import * as z from "zod";
import { keyUses } from "../contract/resources.ts";
import { ConditionFailed } from "./condition-failed.ts";
import type { Key, Table } from "./table.ts";

/** A key that nobody has used for so long counts as never used. */
const KEPT_S = 400 * 24 * 60 * 60;
/** Uses are told to the minute. */
const MINUTE_MS = 60_000;

const useKey = (keyId: string): Key => ({ pk: `${keyUses.keyPrefix}${keyId}`, sk: "use" });

/** When keys were last used, by their public id. */
export class KeyUseStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Notes that a key is in use; of many notes within a minute one is written. */
  async note(keyId: string, nowMs: number): Promise<void> {
    try {
      await this.#table.update(useKey(keyId), {
        UpdateExpression: "SET key_id = :id, last_used_at = :now, expires_at = :expiry",
        ConditionExpression: "attribute_not_exists(last_used_at) OR last_used_at < :before",
        ExpressionAttributeValues: {
          ":id": keyId,
          ":now": new Date(nowMs).toISOString(),
          ":before": new Date(nowMs - MINUTE_MS).toISOString(),
          ":expiry": Math.floor(nowMs / 1000) + KEPT_S,
        },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }

  /** The last uses of keys that were used, by their public id, ISO 8601. */
  async lastUses(keyIds: readonly string[]): Promise<Map<string, string>> {
    const item = z.object({ key_id: z.string(), last_used_at: z.string() });
    const found = await this.#table.getMany(keyIds.map(useKey), item);
    return new Map(found.map(({ key_id, last_used_at }) => [key_id, last_used_at]));
  }
}
