import { parseInstant } from "../../../domain/timeseries/instant.ts";

/** A time from its begin, included, to its end, excluded; epoch ms. */
export interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A time of clocks, without an offset, as if it were UTC. */
const CIVIL = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?$/;

/**
 * Reads `member >= "..." AND member < "..."`, either part or none; undefined for any other filter. Times are instants or
 * dates; those of members that are civil are of clocks, told as if they were UTC.
 */
export function timeFilter(filter: string, member: string): TimeRange | undefined {
  const range = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY };
  for (const part of filter.split(" AND ").filter((text) => text.trim() !== "")) {
    const [, name, comparison, text = ""] = /^\s*([a-z0-9_.]+)\s*(>=|<)\s*"([^"]+)"\s*$/.exec(part) ?? [];
    const ms = msOf(text, /\.civil_/.test(member));
    if (name !== member || Number.isNaN(ms)) return undefined;
    if (comparison === "<") range.untilMs = ms;
    else range.fromMs = ms;
  }
  return range;
}

function msOf(text: string, isCivil: boolean): number {
  if (isCivil) return CIVIL.test(text) ? Date.parse(text.includes("T") ? `${text}Z` : text) : Number.NaN;
  return parseInstant(text)?.ms ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN);
}
