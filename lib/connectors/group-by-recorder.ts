import type { PulledBatch } from "./connector.ts";

/** The device and app of records, as a provider names them. */
export type PulledRecorder = Pick<PulledBatch, "device_id" | "app_id">;

/**
 * Groups records by the device and app that recorded them, in the order of the records. A batch has one of each.
 * @returns nothing for no records.
 */
export function groupByRecorder<T>(
  records: readonly T[],
  recorderOf: (record: T) => PulledRecorder,
): { readonly recorder: PulledRecorder; readonly records: readonly T[] }[] {
  const groups = Map.groupBy(records, (record) => {
    const { device_id, app_id } = recorderOf(record);
    return JSON.stringify([device_id || null, app_id || null]);
  });
  return [...groups].map(([name, own]) => {
    const [device_id, app_id]: (string | null)[] = JSON.parse(name);
    return { recorder: { ...(device_id ? { device_id } : {}), ...(app_id ? { app_id } : {}) }, records: own };
  });
}
