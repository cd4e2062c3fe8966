import { parseInstant } from "../../domain/timeseries/instant.ts";
import type { Night } from "./replies.ts";

const DAY_MINUTES = 24 * 60;
/** Clock changes take effect before this minute of the day. */
const CHANGED_BY = 3 * 60;

/** UTC offsets at the start and end of a night, seconds. They differ in a night with a clock change. */
export interface NightOffsets {
  readonly before: number;
  readonly after: number;
}

/** The UTC offsets of a night; undefined for invalid times. */
export function offsetsOf({ sleep_start_time, sleep_end_time }: Night): NightOffsets | undefined {
  const [before, after] = [parseInstant(sleep_start_time), parseInstant(sleep_end_time)];
  if (!before || !after) return undefined;
  return { before: before.offsetS ?? 0, after: after.offsetS ?? 0 };
}

/** Parses a time HH:MM or HH:MM:SS to minutes after midnight. */
function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes + seconds / 60;
}

/** Converts a local time of a day to an instant (epoch ms). @param date YYYY-MM-DD. */
export function instantOfDay(date: string, clock: string, { before, after }: NightOffsets): number {
  const minutes = minutesOf(clock);
  return Date.parse(date) + minutes * 60_000 - 1000 * (minutes < CHANGED_BY ? before : after);
}

/** Converts a local time in a night to an instant (epoch ms). Evening times belong to the previous date. */
export function instantOfNight(clock: string, night: Night): number | undefined {
  const offsets = offsetsOf(night);
  if (!offsets) return undefined;
  const isEvening =
    minutesOf(clock) >= DAY_MINUTES / 2 && minutesOf(clock) >= minutesOf(night.sleep_start_time.slice(11, 16));
  if (!isEvening) return instantOfDay(night.sleep_end_time.slice(0, 10), clock, offsets);
  const evening = night.sleep_start_time.slice(0, 10);
  return Date.parse(evening) + minutesOf(clock) * 60_000 - offsets.before * 1000;
}
