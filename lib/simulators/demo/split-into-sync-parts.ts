import { countRecords, type RawBatch } from "../../domain/ingest/accept-batch.ts";

/** Target size of a part. A resource is never split, so a part may exceed it. */
const MAX_RECORDS_PER_PART = 5_000;

/**
 * Splits collected batches into the parts that a phone sends: one synchronisation per source type, completed by its
 * last part. @param name unique name of the synchronisation run.
 */
export function splitIntoSyncParts(name: string, collected: Iterable<RawBatch>) {
  const bySource = Map.groupBy(collected, ({ source_type }) => source_type);
  return [...bySource].flatMap(([source, batches]) => {
    const filled = fillParts(batches);
    return filled.map(({ device_id, ...batch }, part) => ({
      ...batch,
      device: device_id === null ? null : { id: device_id },
      sync_id: `${name} ${source}`,
      part,
      done: part === filled.length - 1,
    }));
  });
}

/** Joins batches of one source up to the target size; no part contains a resource twice. */
function fillParts(batches: readonly RawBatch[]): RawBatch[] {
  const filled: RawBatch[] = [];
  for (const batch of batches) {
    const last = filled.at(-1);
    const resources = { ...last?.resources, ...batch.resources };
    const isRoom = last && !Object.keys(batch.resources).some((resource) => resource in last.resources);
    if (isRoom && countRecords(resources) <= MAX_RECORDS_PER_PART) filled[filled.length - 1] = { ...last, resources };
    else filled.push(batch);
  }
  return filled;
}
