import { isTimeZone, offsetAt } from "../domain/time-zone.ts";

const known = new Map<string, boolean>();

/** UTC offset in seconds of an IANA time zone at an instant; null for an unknown zone or an invalid instant. */
export function zoneOffset(timeZone: string | null | undefined, ms: number): number | null {
  if (!timeZone || Number.isNaN(new Date(ms).getTime())) return null;
  const isKnown = known.get(timeZone) ?? isTimeZone(timeZone);
  known.set(timeZone, isKnown);
  return isKnown ? offsetAt(timeZone, ms) : null;
}
