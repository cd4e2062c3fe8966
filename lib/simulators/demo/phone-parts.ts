import type { RawBatch } from "../../domain/acceptance.ts";

/**
 * What a phone has collected, in parts as it sends them: each kind of source in a synchronisation of its own, whose last
 * part ends it. @param name what tells this time of sending from others.
 */
export function phoneParts(name: string, collected: Iterable<RawBatch>) {
  const bySource = Map.groupBy(collected, ({ source_type }) => source_type);
  return [...bySource].flatMap(([source, batches]) =>
    batches.map(({ device_id, ...batch }, part) => ({
      ...batch,
      device: device_id === null ? null : { id: device_id },
      sync_id: `${name} ${source}`,
      part,
      done: part === batches.length - 1,
    })),
  );
}
