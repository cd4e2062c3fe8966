import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { utcOffsetAt } from "../../domain/shared/time-zone.ts";

/** A time zone for each way in which clocks change, those of more people first. */
const ZONES = [
  ...["Europe/Berlin", "Europe/London", "Europe/Athens", "Atlantic/Azores", "America/Godthab"],
  ...["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "America/Edmonton"],
  ...["America/Vancouver", "America/Anchorage", "America/Adak", "America/Halifax", "America/St_Johns"],
  ...["America/Miquelon", "America/Havana", "America/Santiago", "Pacific/Easter"],
  ...["Australia/Sydney", "Australia/Adelaide", "Australia/Lord_Howe", "Pacific/Auckland", "Pacific/Chatham"],
  ...["Pacific/Norfolk", "Africa/Cairo", "Asia/Jerusalem", "Asia/Beirut", "Asia/Gaza", "Africa/Casablanca"],
];

/** A period in epoch milliseconds, with the UTC offsets of a user's clocks at its start and end in seconds. */
export interface ClockPeriod {
  readonly startMs: number;
  readonly endMs: number;
  readonly before: number;
  readonly after: number;
}

/**
 * The instant (epoch ms) within a period of at most some days at which clocks changed, to the minute. Undefined if no
 * time zone has such a change then, as on a journey.
 */
export function findClockChange({ startMs, endMs, before, after }: ClockPeriod): number | undefined {
  const zone = ZONES.find((one) => utcOffsetAt(one, startMs) === before && utcOffsetAt(one, endMs) === after);
  if (zone === undefined) return undefined;
  let [first, last] = [Math.floor(startMs / MINUTE_MS), Math.ceil(endMs / MINUTE_MS)];
  while (last - first > 1) {
    const middle = Math.floor((first + last) / 2);
    if (utcOffsetAt(zone, middle * MINUTE_MS) === before) first = middle;
    else last = middle;
  }
  return last * MINUTE_MS;
}
