import type { BatchMessage } from "../../domain/ingest/batch.ts";
import type { Rejection } from "../../domain/ingest/rejection.ts";
import { businessMetrics, LATE_MS } from "../../domain/operations/metrics.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";

const { samplesStored, batchesStored, batchesLate, recordsRefused } = businessMetrics;

/** Counts a stored batch, and whether it is late. A repetition after a crash counts again. */
export function countStoredBatch(log: Log, { received_at }: Pick<BatchMessage, "received_at">, samples: number): void {
  const lag_ms = ports().clock.now() - received_at;
  const values = { [samplesStored]: samples, [batchesStored]: 1, [batchesLate]: lag_ms > LATE_MS ? 1 : 0 };
  log.metrics(values, [{ service: "ingest" }], { lag_ms });
}

/** Counts the refused records of a request by their reasons. */
export function countRefusedRecords(log: Log, rejected: readonly Rejection[]): void {
  for (const [reason, ofIt] of Map.groupBy(rejected, (one) => one.reason))
    log.metric(recordsRefused, ofIt.length, [{ reason }]);
}
