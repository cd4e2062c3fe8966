import * as z from "zod";
import type { DayTotal } from "./day-totals.ts";

/** The field of a stored derived summary that names its devices and apps. Responses do not contain it. */
export const DERIVED_FROM = "derived_from";

/** The device and app of samples, and their share of a total, 0 to 1. */
export const recorderShare = z.object({
  device_id: z.string().nullable(),
  app_id: z.string().nullable(),
  share: z.number(),
});
type RecorderShare = z.output<typeof recorderShare>;

const schema = z.record(z.string(), z.array(recorderShare));
/** Shares of devices and apps by resource, for those where the source names any. */
export type DerivedFrom = z.output<typeof schema>;

/** Reads the devices and apps of a stored summary. Summaries of earlier versions name none. */
export const derivedFrom = (fields: Readonly<Record<string, unknown>>): DerivedFrom =>
  schema.safeParse(fields[DERIVED_FROM]).data ?? {};

/** Returns the share of each device and app. @param isCounted whether samples count instead of their sum. */
export function sharesOf(total: DayTotal | undefined, isCounted: boolean): RecorderShare[] {
  if (!total?.parts) return [];
  const { parts, count, sum } = total;
  return parts.map(({ device_id, app_id, ...part }) => {
    const share = isCounted || sum === 0 ? part.count / count : part.sum / sum;
    return { device_id, app_id, share: Math.round(share * 1_000) / 1_000 };
  });
}
