import { prices } from "../../domain/usage/prices.ts";

/** What one sync of a phone uses, from the batch to the webhook: counts of the meter, divided by the syncs. */
export interface SyncCounts {
  readonly requests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Queues that each event reaches through the rules of the bus: webhooks, destinations, continuous queries. */
const QUEUES_PER_EVENT = 3;
/** A message is sent, received and deleted. */
const REQUESTS_PER_MESSAGE = 3;
/** Assumed times of the functions in GB-seconds: 20 ms to accept, 50 ms to store, 150 ms at the receiver; 1, 1, 0.5 GB. */
const GB_SECONDS = { batch: 0.02 + 0.05, event: 0.5 * 0.15 + (QUEUES_PER_EVENT - 1) * 0.5 * 0.01 };

/** Returns the list price of a sync in US dollars, without free tiers. @param events events of the sync. */
function syncPrice({ readUnits, writeUnits }: SyncCounts, events: number): number {
  const messages = 1 + events * QUEUES_PER_EVENT;
  return (
    prices.httpApiRequest +
    writeUnits * prices.dynamodbWrite +
    readUnits * prices.dynamodbRead +
    messages * REQUESTS_PER_MESSAGE * prices.sqsRequest +
    events * prices.busEvent +
    (1 + messages) * prices.lambdaRequest +
    (GB_SECONDS.batch + events * GB_SECONDS.event) * prices.lambdaGbSecond
  );
}

/** Syncs of a month (730 hours) at one each `minutes`. */
const syncsPerMonth = (minutes: number): number => (730 * 60) / minutes;

/** Formats the rows of a sync for docs/cost.md: its counts, the price of a million, and of a user and month. */
export function formatSyncRow(name: string, counts: SyncCounts, events: number): string {
  const price = syncPrice(counts, events);
  const cells = [
    name,
    ...[counts.writeUnits, counts.readUnits, counts.requests].map((count) => String(Math.round(count))),
    `$${(price * 1e6).toFixed(2)}`,
    ...[5, 15, 60].map((minutes) => `$${(price * syncsPerMonth(minutes)).toFixed(3)}`),
  ];
  return `| ${cells.join(" | ")} |`;
}
