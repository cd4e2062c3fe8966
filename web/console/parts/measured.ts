import type { Measure } from "./measures.ts";
import { formatQuantity } from "./numbers.ts";
import { formatDuration } from "./time.ts";

/** Formats a value of a measure: seconds as a duration, all others with their unit. */
export function formatMeasured(value: number | null | undefined, { unit }: Measure): string {
  if (value === null || value === undefined) return "–";
  return unit === "s" ? formatDuration(value) : formatQuantity(value, unit);
}
