import * as z from "zod";
import { usage } from "../../contract/resources.ts";
import { type AttemptCount, METRIC_BUCKET_MS } from "../../events/webhooks/delivery-metric.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Result of a counted attempt. */
type AttemptOutcome = "delivered" | "failed";

/** Kind of the items that count attempts, as the sort key begins. Versions before 0015 had one such item a day. */
export const ATTEMPTS = "deliveries";

/** An attempt to count. Its event selects the partition. */
export interface CountedAttempt {
  readonly outcome: AttemptOutcome;
  readonly eventId: string;
}

/** Number of partitions for the attempts of a team. Each takes 1,000 writes a second. */
const SHARDS = 8;

const partition = ({ teamId }: TeamScope, shard: number) => `${usage.keyPrefix}${teamId}#${shard}`;
/** Returns the partitions with attempts of a team. Earlier versions counted in the first, with the rest of its usage. */
export const attemptPartitions = (scope: TeamScope): string[] => [
  `${usage.keyPrefix}${scope.teamId}`,
  ...Array.from({ length: SHARDS }, (_, shard) => partition(scope, shard)),
];
const shardOf = (eventId: string) => eventId.charCodeAt(eventId.length - 1) % SHARDS;
const bucketStart = (epochMs: number) => Math.floor(epochMs / METRIC_BUCKET_MS) * METRIC_BUCKET_MS;
/** The hour (UTC) of an instant, for example `2026-05-01T08`. */
const hourOf = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 13);
const sortKey = (epochMs: number) => `${ATTEMPTS}#${hourOf(epochMs)}`;

const hourItem = z.looseObject({ sk: z.string() });
/** A counter of five minutes: the outcome, and the minute of the hour in which they start. */
const COUNTER = /^(delivered|failed)(\d\d)$/;

/**
 * Counts one attempt by one write: in the sum of its hour, which the usage report adds up, and in the five minutes of
 * its outcome, which the metrics show.
 */
export async function countAttempt(
  table: Table,
  scope: TeamScope,
  { outcome, eventId }: CountedAttempt,
  nowMs: number,
): Promise<void> {
  const minute = new Date(bucketStart(nowMs)).toISOString().slice(14, 16);
  const key: Key = { pk: partition(scope, shardOf(eventId)), sk: sortKey(nowMs) };
  await table.update(key, {
    UpdateExpression: "ADD #sum :one, #counter :one",
    ExpressionAttributeNames: { "#sum": ATTEMPTS, "#counter": `${outcome}${minute}` },
    ExpressionAttributeValues: { ":one": 1 },
  });
}

/** Returns the counts of all five minutes from an instant on, those with attempts only. */
export async function listAttemptCounts(table: Table, scope: TeamScope, sinceMs: number): Promise<AttemptCount[]> {
  const range = { ":from": sortKey(sinceMs), ":to": `${ATTEMPTS}#~` };
  const queries = attemptPartitions(scope).map((pk) => {
    const KeyConditionExpression = "pk = :pk AND sk BETWEEN :from AND :to";
    const input = { KeyConditionExpression, ExpressionAttributeValues: { ":pk": pk, ...range } };
    return Array.fromAsync(table.queryAll(input, hourItem));
  });
  const counts = (await Promise.all(queries)).flat().flatMap(toAttemptCounts);
  const byStart = Map.groupBy(counts, ({ fromMs }) => fromMs);
  return [...byStart.values()].map(addCounts).filter(({ fromMs }) => fromMs >= bucketStart(sinceMs));
}

/** Adds up the counts of the same five minutes. */
const addCounts = (counts: readonly AttemptCount[]): AttemptCount =>
  counts.reduce((sum, { fromMs, delivered, failed }) => ({
    fromMs,
    delivered: sum.delivered + delivered,
    failed: sum.failed + failed,
  }));

function toAttemptCounts({ sk, ...counters }: z.output<typeof hourItem>): AttemptCount[] {
  const byStart = new Map<number, { delivered: number; failed: number }>();
  for (const [name, count] of Object.entries(counters)) {
    const [, outcome, minute] = COUNTER.exec(name) ?? [];
    if (outcome === undefined) continue;
    const fromMs = Date.parse(`${sk.slice(ATTEMPTS.length + 1)}:${minute}:00.000Z`);
    const counts = byStart.get(fromMs) ?? { delivered: 0, failed: 0 };
    counts[outcome as AttemptOutcome] += z.number().parse(count);
    byStart.set(fromMs, counts);
  }
  return [...byStart].map(([fromMs, counts]) => ({ fromMs, ...counts }));
}
