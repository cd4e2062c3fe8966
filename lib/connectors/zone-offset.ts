import { isTimeZone, utcOffsetAt } from "../domain/shared/time-zone.ts";

const knownTimeZones = new Map<string, boolean>();

/** UTC offset in seconds of an IANA time zone at an instant; null for an unknown zone or an invalid instant. */
export function zoneOffset(timeZone: string | null | undefined, ms: number): number | null {
  if (!timeZone || Number.isNaN(new Date(ms).getTime())) return null;
  const isKnown = knownTimeZones.get(timeZone) ?? isTimeZone(timeZone);
  knownTimeZones.set(timeZone, isKnown);
  return isKnown ? utcOffsetAt(timeZone, ms) : null;
}
