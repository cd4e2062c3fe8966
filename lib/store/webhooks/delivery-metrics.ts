import * as z from "zod";
import { deliveryMetrics } from "../../contract/resources.ts";
import { type AttemptCount, METRIC_BUCKET_MS } from "../../events/webhooks/delivery-metric.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const number = z.number().default(0);
const countItem = z.object({ sk: z.string(), delivered: number, failed: number });

const partition = (scope: TeamScope) => `${deliveryMetrics.keyPrefix}${scope.teamId}`;
const bucketStart = (epochMs: number) =>
  new Date(Math.floor(epochMs / METRIC_BUCKET_MS) * METRIC_BUCKET_MS).toISOString();

/**
 * Attempt counts that versions before 0015 wrote, in items of five minutes that expire after 32 days. Later attempts
 * are counted with the usage (`lib/store/usage/attempt-counts.ts`). Instants are epoch milliseconds.
 */
export class DeliveryMetricStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
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
