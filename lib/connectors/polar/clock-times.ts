import { parseInstant } from "../../domain/shared/instant.ts";
import type { Night } from "./replies.ts";

const DAY_MINUTES = 24 * 60;
/** Clock changes take effect before this minute of the day. */
const CLOCK_CHANGE_MINUTE = 3 * 60;

/** UTC offsets at the start and end of a night, seconds. They differ in a night with a clock change. */
export interface NightOffsets {
  readonly before: number;
  readonly after: number;
}

/** The UTC offsets of a night; undefined for invalid times. */
export function nightOffsets({ sleep_start_time, sleep_end_time }: Night): NightOffsets | undefined {
  const [before, after] = [parseInstant(sleep_start_time), parseInstant(sleep_end_time)];
  if (!before || !after) return undefined;
  return { before: before.offsetS ?? 0, after: after.offsetS ?? 0 };
}

/** Parses a time HH:MM or HH:MM:SS to minutes after midnight. */
function minutesAfterMidnight(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes + seconds / 60;
}

/** Converts a local time of a day to an instant (epoch ms). @param date YYYY-MM-DD. */
export function instantOnDay(date: string, clock: string, { before, after }: NightOffsets): number {
  const minutes = minutesAfterMidnight(clock);
  return Date.parse(date) + minutes * 60_000 - 1000 * (minutes < CLOCK_CHANGE_MINUTE ? before : after);
}

/** Converts a local time in a night to an instant (epoch ms). Evening times belong to the previous date. */
export function instantInNight(clock: string, night: Night): number | undefined {
  const offsets = nightOffsets(night);
  if (!offsets) return undefined;
  const isEvening =
    minutesAfterMidnight(clock) >= DAY_MINUTES / 2 &&
    minutesAfterMidnight(clock) >= minutesAfterMidnight(night.sleep_start_time.slice(11, 16));
  if (!isEvening) return instantOnDay(night.sleep_end_time.slice(0, 10), clock, offsets);
  const evening = night.sleep_start_time.slice(0, 10);
  return Date.parse(evening) + minutesAfterMidnight(clock) * 60_000 - offsets.before * 1000;
}
