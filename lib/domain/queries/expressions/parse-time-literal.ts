import { parseFloating } from "../floating-time.ts";

/** A date or a date-time of a condition. */
export interface TimeLiteral {
  /** The written date and clock time as floating time; midnight for a date. */
  readonly floatingMs: number;
  /** Epoch ms of a date-time with an offset; undefined without one. */
  readonly instantMs: number | undefined;
}

const TIME_LITERAL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * Parses a date, or an ISO 8601 date-time with `T` or a space, and perhaps with `Z` or an offset with a colon. Returns
 * undefined for anything else, including days that the month does not have.
 */
export function parseTimeLiteral(text: string): TimeLiteral | undefined {
  const [, date = "", time = "00:00", offset] = TIME_LITERAL.exec(text) ?? [];
  const floatingMs = parseFloating(`${date}T${time}`);
  const instantMs = offset === undefined ? undefined : Date.parse(`${date}T${time}${offset}`);
  if (Number.isNaN(floatingMs) || Number.isNaN(instantMs)) return undefined;
  return new Date(parseFloating(date)).toISOString().startsWith(date) ? { floatingMs, instantMs } : undefined;
}
