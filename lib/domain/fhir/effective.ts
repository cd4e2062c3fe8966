import type { DateRange } from "../shared/date-range.ts";
import { DAY_MS } from "../shared/durations.ts";
import { formatInstant, formatOffset } from "../shared/instant.ts";
import type { Effective } from "./resources.ts";

/** Formats an instant in FHIR, at the local offset (seconds) if it is known and has no seconds. */
export function toDateTime(ms: number, offsetS: number | null = null): string {
  if (offsetS === null || offsetS === 0 || offsetS % 60 !== 0) return formatInstant(ms);
  return formatInstant(ms + offsetS * 1000).replace("+00:00", formatOffset(offsetS));
}

/** The time of a sample or session: an instant, or a period if it ends later. */
export function toEffective(startMs: number, endMs: number, offsetS: number | null = null): Effective {
  const start = toDateTime(startMs, offsetS);
  if (endMs <= startMs) return { effectiveDateTime: start };
  return { effectivePeriod: { start, end: toDateTime(endMs, offsetS) } };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const firstMs = (text: string) => Date.parse(text);
const lastMs = (text: string) => Date.parse(text) + (DAY.test(text) ? DAY_MS - 1 : 0);

/** The range of instants that an effective time covers. A day without a time is that day in UTC. */
export function effectiveRange({ effectiveDateTime, effectivePeriod }: Effective): DateRange {
  const start = effectivePeriod?.start ?? effectiveDateTime ?? "";
  return { fromMs: firstMs(start), toMs: lastMs(effectivePeriod?.end ?? start) };
}
