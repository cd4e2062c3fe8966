import type { BatchMessage } from "../../domain/ingest/batch.ts";
import type { StorageOutcome } from "../../domain/ingest/receipt.ts";
import type { NewEvent } from "../../events/constructors/compose-event.ts";
import type { BatchCounts } from "../../store/events/outbox-items.ts";
import type { StoreResult } from "./store-samples.ts";

/** Totals the results of a batch for its receipt. */
export function tallyOutcome(results: readonly StoreResult[]): StorageOutcome {
  return {
    stored: sum(results, (result) => result.created),
    updated: sum(results, (result) => result.updated),
    unchanged: sum(results, (result) => result.unchanged),
    event_ids: uniqueEvents(results).map(({ reference }) => reference.event_id),
  };
}

/** Growth of the stored data by a batch, in bytes. */
export const totalGrowthBytes = (results: readonly StoreResult[]): number =>
  sum(results, ({ grewBytes = 0 }) => grewBytes);

/** What a batch adds to the usage of its team. */
export function countBatch(results: readonly StoreResult[], { progress }: BatchMessage): BatchCounts {
  const { stored, updated } = tallyOutcome(results);
  return { samples: stored + updated, bytes: totalGrowthBytes(results) + (progress?.grew_bytes ?? 0) };
}

/** The events of all results, each id once. Of equal ids the last wins, since it covers the most. */
export function uniqueEvents(results: readonly StoreResult[]): NewEvent[] {
  const events = results.flatMap((result) => result.events);
  return [...new Map(events.map((event) => [event.reference.event_id, event])).values()];
}

function sum(results: readonly StoreResult[], of: (one: StoreResult) => number): number {
  return results.reduce((total, one) => total + of(one), 0);
}
