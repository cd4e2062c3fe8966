import { parseInstant } from "../../../domain/timeseries/instant.ts";

/** A time from its begin, included, to its end, excluded; epoch ms. */
export interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Reads `member >= "..." AND member < "..."`, either part or none; undefined for any other filter. */
export function timeFilter(filter: string, member: string): TimeRange | undefined {
  const range = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY };
  for (const part of filter.split(" AND ").filter((text) => text.trim() !== "")) {
    const [, name, comparison, text = ""] = /^\s*([a-z0-9_.]+)\s*(>=|<)\s*"([^"]+)"\s*$/.exec(part) ?? [];
    const ms = parseInstant(text)?.ms ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN);
    if (name !== member || Number.isNaN(ms)) return undefined;
    if (comparison === "<") range.untilMs = ms;
    else range.fromMs = ms;
  }
  return range;
}
