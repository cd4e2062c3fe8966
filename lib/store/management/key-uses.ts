import * as z from "zod";
import { keyUses } from "../../contract/resources.ts";
import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { unlessConditionFailed } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";

/** Retention of the last use. A key without a use for this long counts as never used. */
const KEPT_S = 400 * 24 * 60 * 60;
/** Resolution of the recorded time. */

const useKey = (keyId: string): Key => ({ pk: `${keyUses.keyPrefix}${keyId}`, sk: "use" });

/** Last use of API keys, by their public id. */
export class KeyUseStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Records the use of a key. Writes at most once a minute for each key. */
  async recordUse(keyId: string, nowMs: number): Promise<void> {
    await unlessConditionFailed(
      this.#table.update(useKey(keyId), {
        UpdateExpression: "SET key_id = :id, last_used_at = :now, expires_at = :expiry",
        ConditionExpression: "attribute_not_exists(last_used_at) OR last_used_at < :before",
        ExpressionAttributeValues: {
          ":id": keyId,
          ":now": new Date(nowMs).toISOString(),
          ":before": new Date(nowMs - MINUTE_MS).toISOString(),
          ":expiry": Math.floor(nowMs / 1000) + KEPT_S,
        },
      }),
    );
  }

  /** Returns the last uses (ISO 8601) of keys by public id. Unused keys are absent. */
  async getLastUses(keyIds: readonly string[]): Promise<Map<string, string>> {
    const item = z.object({ key_id: z.string(), last_used_at: z.string() });
    const found = await this.#table.getMany(keyIds.map(useKey), item);
    return new Map(found.map(({ key_id, last_used_at }) => [key_id, last_used_at]));
  }
}
