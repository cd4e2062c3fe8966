import { formatNumber } from "../../parts/numbers.ts";

/** Resources that providers list without days. */
const UNDATED: readonly string[] = ["profile", "device", "devices"];

/** What a pulled history delivered, in words. @param days days with data; null before the end of the pull. */
export function historyOf(resource: string, days: number | null): string {
  if (UNDATED.includes(resource)) return days === null ? "not complete" : "complete; it has no days";
  if (days === null) return "history not complete";
  if (days === 0) return "the provider had no data";
  return `history of ${formatNumber(days)} ${days === 1 ? "day" : "days"} with data`;
}
