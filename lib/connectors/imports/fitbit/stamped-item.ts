import { formatUtc } from "../../format-utc.ts";

const STAMP = /^(\d\d)\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)$/;

/** An item of a JSON file: `05/01/24 06:00:00` as ISO 8601 without a zone, and its value. */
export function readStamped(item: unknown): { readonly time: string; readonly value: unknown } | undefined {
  const { dateTime, value } = Object(item);
  const [, month, day, year, time] = STAMP.exec(String(dateTime)) ?? [];
  return time === undefined ? undefined : { time: `20${year}-${month}-${day}T${time}`, value };
}

/**
 * Converts a UTC time to ISO 8601 with a local offset such as `+05:30`, or with `Z` without one. An invalid time stays as
 * it is, so that only its own record is rejected.
 */
export function toIsoTime(utc: string, offset: string | undefined): string {
  const ms = Date.parse(utc);
  if (Number.isNaN(ms)) return utc;
  const [, sign, hours, minutes] = /^([+-])(\d\d):(\d\d)$/.exec(offset ?? "") ?? [];
  if (sign === undefined) return formatUtc(ms);
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
  return `${formatUtc(ms + offsetMs).slice(0, -1)}${offset}`;
}
