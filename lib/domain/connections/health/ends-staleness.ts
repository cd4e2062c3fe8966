import type { SampleBatch } from "../../ingest/batch.ts";
import { batchRanges } from "../pulls/history-ranges.ts";
import type { Staleness } from "./staleness.ts";

/**
 * Whether a batch ends a staleness: any data for a silent connection, a push of a lost resource otherwise.
 * @param receivedAt epoch milliseconds.
 */
export function endsStaleness(
  { since, reason, resources }: Staleness,
  batch: SampleBatch,
  receivedAt: number,
): boolean {
  if (receivedAt <= Date.parse(since)) return false;
  if (reason === "silent") return true;
  const delivered = batchRanges(batch);
  return batch.pushed === true && resources.some((resource) => delivered[resource] !== undefined);
}
