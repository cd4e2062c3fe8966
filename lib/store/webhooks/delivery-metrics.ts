import * as z from "zod";
import { deliveryMetrics } from "../../contract/resources.ts";
import { type AttemptCount, METRIC_BUCKET_MS } from "../../events/webhooks/delivery-metric.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const KEPT_S = 32 * 24 * 60 * 60;

const number = z.number().default(0);
const countItem = z.object({ sk: z.string(), delivered: number, failed: number });

const partition = (scope: TeamScope) => `${deliveryMetrics.keyPrefix}${scope.teamId}`;
const bucketStart = (epochMs: number) =>
  new Date(Math.floor(epochMs / METRIC_BUCKET_MS) * METRIC_BUCKET_MS).toISOString();

/** Attempt counts of each team in buckets of five minutes. Instants are epoch milliseconds. */
export class DeliveryMetricStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Counts one attempt. */
  async increment(scope: TeamScope, outcome: "delivered" | "failed", nowMs: number): Promise<void> {
    await this.#table.update(
      { pk: partition(scope), sk: bucketStart(nowMs) },
      {
        UpdateExpression: "ADD #outcome :one SET expires_at = :expires",
        ExpressionAttributeNames: { "#outcome": outcome },
        ExpressionAttributeValues: { ":one": 1, ":expires": Math.floor(nowMs / 1000) + KEPT_S },
      },
    );
  }

  /** Returns the counts of all buckets from an instant on. Buckets without attempts are absent. */
  async listSince(scope: TeamScope, sinceMs: number): Promise<AttemptCount[]> {
    const input = {
      KeyConditionExpression: "pk = :team AND sk >= :since",
      ExpressionAttributeValues: { ":team": partition(scope), ":since": bucketStart(sinceMs) },
    };
    const items = await Array.fromAsync(this.#table.queryAll(input, countItem));
    return items.map(({ sk, delivered, failed }) => ({ fromMs: Date.parse(sk), delivered, failed }));
  }
}
