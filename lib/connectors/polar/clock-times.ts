import { parseInstant } from "../../domain/timeseries/instant.ts";
import type { Night } from "./replies.ts";

const DAY_MINUTES = 24 * 60;
/** Where clocks change, they have done so by this hour. */
const CHANGED_BY = 3 * 60;

/** A night's offsets from UTC, seconds: as it begins and as it ends, which differ where clocks change. */
export interface NightOffsets {
  readonly before: number;
  readonly after: number;
}

/** The offsets of a night; undefined where its times tell none. */
export function offsetsOf({ sleep_start_time, sleep_end_time }: Night): NightOffsets | undefined {
  const [before, after] = [parseInstant(sleep_start_time), parseInstant(sleep_end_time)];
  if (!before || !after) return undefined;
  return { before: before.offsetS ?? 0, after: after.offsetS ?? 0 };
}

/** Minutes after midnight of a time HH:MM or HH:MM:SS. */
function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes + seconds / 60;
}

/** The instant (epoch ms) of a time of a day whose night is known. @param date YYYY-MM-DD. */
export function instantOfDay(date: string, clock: string, { before, after }: NightOffsets): number {
  const minutes = minutesOf(clock);
  return Date.parse(date) + minutes * 60_000 - 1000 * (minutes < CHANGED_BY ? before : after);
}

/** The instant (epoch ms) of a time in a night; the evening belongs to the day before. */
export function instantOfNight(clock: string, night: Night): number | undefined {
  const offsets = offsetsOf(night);
  if (!offsets) return undefined;
  const isEvening =
    minutesOf(clock) >= DAY_MINUTES / 2 && minutesOf(clock) >= minutesOf(night.sleep_start_time.slice(11, 16));
  if (!isEvening) return instantOfDay(night.sleep_end_time.slice(0, 10), clock, offsets);
  const evening = night.sleep_start_time.slice(0, 10);
  return Date.parse(evening) + minutesOf(clock) * 60_000 - offsets.before * 1000;
}
