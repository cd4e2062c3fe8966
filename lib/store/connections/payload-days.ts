import * as z from "zod";
import { rawPayloads } from "../../contract/resources.ts";
import { MAX_PAYLOADS_PER_DAY } from "../../domain/connections/raw-payloads/retention.ts";
import { isConditionMet } from "../condition-failed.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const DAY = "day#";
/** Retention of the counts of a day, as long as the longest retention of payloads. */
const COUNTS_KEPT_S = 90 * 86_400;

const dayCounts = z.object({ sk: z.string(), skipped: z.int().default(0) });

const dayKey = (scope: TeamScope, userId: string, day: string): Key => ({
  pk: `${rawPayloads.keyPrefix}${scope.teamId}#${userId}`,
  sk: `${DAY}${day}`,
});

/** Counts of each user's payloads by UTC day (`2026-05-20`): those that are kept, within the bound, and the others. */
export class PayloadDays {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Takes one of the places of a day. @returns false if the day has none left. */
  reservePlace(scope: TeamScope, userId: string, day: string, nowMs: number): Promise<boolean> {
    return isConditionMet(
      this.#table.update(dayKey(scope, userId, day), {
        UpdateExpression: "SET expires_at = :end ADD kept :one",
        ConditionExpression: "attribute_not_exists(kept) OR kept < :most",
        ExpressionAttributeValues: {
          ":one": 1,
          ":most": MAX_PAYLOADS_PER_DAY,
          ":end": Math.floor(nowMs / 1000) + COUNTS_KEPT_S,
        },
      }),
    );
  }

  /** Counts a payload that is not kept. */
  async countSkipped(scope: TeamScope, userId: string, day: string, nowMs: number): Promise<void> {
    await this.#table.update(dayKey(scope, userId, day), {
      UpdateExpression: "SET expires_at = :end ADD skipped :one",
      ExpressionAttributeValues: { ":one": 1, ":end": Math.floor(nowMs / 1000) + COUNTS_KEPT_S },
    });
  }

  /** Returns the days on which payloads were not kept, with their number. */
  async listSkipped(scope: TeamScope, userId: string): Promise<{ date: string; count: number }[]> {
    const input = {
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :day)",
      ExpressionAttributeValues: { ":pk": dayKey(scope, userId, "").pk, ":day": DAY },
    };
    const days = await Array.fromAsync(this.#table.queryAll(input, dayCounts));
    return days
      .filter(({ skipped }) => skipped > 0)
      .map(({ sk, skipped }) => ({ date: sk.slice(DAY.length), count: skipped }));
  }
}
