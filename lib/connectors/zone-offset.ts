import { isTimeZone, offsetAt } from "../domain/time-zone.ts";

const known = new Map<string, boolean>();

/** The offset (seconds) that holds in a zone that a provider names; null where it is none, or `ms` is no instant. */
export function zoneOffset(timeZone: string | null | undefined, ms: number): number | null {
  if (!timeZone || Number.isNaN(new Date(ms).getTime())) return null;
  const isKnown = known.get(timeZone) ?? isTimeZone(timeZone);
  known.set(timeZone, isKnown);
  return isKnown ? offsetAt(timeZone, ms) : null;
}
