import { formatNumber } from "../../parts/numbers.ts";

/** What the data of an event hold, in words. */
export function sampleCount(data: unknown): string {
  if (typeof data !== "object" || data === null) return "nothing";
  if ("data" in data && Array.isArray(data.data))
    return data.data.length === 1 ? "1 sample" : `${formatNumber(data.data.length)} samples`;
  if ("start_date" in data) return "a range of a history";
  return "one record";
}
