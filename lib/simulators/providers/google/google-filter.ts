import { parseInstant } from "../../../domain/shared/instant.ts";

/** A half-open interval in epoch milliseconds. */
export interface TimeRange {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A civil time without offset. */
const CIVIL_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?)?$/;

/**
 * Parses `member >= "..." AND member < "..."`, both parts optional; undefined for any other filter. Times are instants
 * or dates. Civil members take civil times, which are parsed as UTC.
 */
export function parseTimeFilter(filter: string, member: string): TimeRange | undefined {
  const range = { fromMs: 0, untilMs: Number.POSITIVE_INFINITY };
  for (const part of filter.split(" AND ").filter((text) => text.trim() !== "")) {
    const [, name, comparison, text = ""] = /^\s*([a-z0-9_.]+)\s*(>=|<)\s*"([^"]+)"\s*$/.exec(part) ?? [];
    const ms = parseTime(text, /\.civil_/.test(member));
    if (name !== member || Number.isNaN(ms)) return undefined;
    if (comparison === "<") range.untilMs = ms;
    else range.fromMs = ms;
  }
  return range;
}

function parseTime(text: string, isCivil: boolean): number {
  if (isCivil) return CIVIL_TIME.test(text) ? Date.parse(text.includes("T") ? `${text}Z` : text) : Number.NaN;
  return parseInstant(text)?.ms ?? (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN);
}
