import { countRecords, type RawBatch } from "../../domain/acceptance.ts";

/** A phone fills a part with what it has until it has so many records; a resource stays whole. */
const FULL = 5_000;

/**
 * What a phone has collected, in parts as it sends them: each kind of source in a synchronisation of its own, whose last
 * part ends it. @param name what tells this time of sending from others.
 */
export function phoneParts(name: string, collected: Iterable<RawBatch>) {
  const bySource = Map.groupBy(collected, ({ source_type }) => source_type);
  return [...bySource].flatMap(([source, batches]) => {
    const filled = filledWith(batches);
    return filled.map(({ device_id, ...batch }, part) => ({
      ...batch,
      device: device_id === null ? null : { id: device_id },
      sync_id: `${name} ${source}`,
      part,
      done: part === filled.length - 1,
    }));
  });
}

/** Batches of one source joined, as far as they have room and no resource twice. */
function filledWith(batches: readonly RawBatch[]): RawBatch[] {
  const filled: RawBatch[] = [];
  for (const batch of batches) {
    const last = filled.at(-1);
    const resources = { ...last?.resources, ...batch.resources };
    const isRoom = last && !Object.keys(batch.resources).some((resource) => resource in last.resources);
    if (isRoom && countRecords(resources) <= FULL) filled[filled.length - 1] = { ...last, resources };
    else filled.push(batch);
  }
  return filled;
}
