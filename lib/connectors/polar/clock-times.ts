import { HOUR_MS } from "../../domain/shared/durations.ts";
import { parseInstant } from "../../domain/shared/instant.ts";
import { findClockChange } from "./clock-change.ts";
import type { Night } from "./replies.ts";

const DAY_MINUTES = 24 * 60;
/** UTC offsets at the start and end of a night, seconds. They differ in a night with a clock change. */
export interface NightOffsets {
  readonly before: number;
  readonly after: number;
  /** The instant of the change, epoch ms; any one without a change. */
  readonly changeMs: number;
}

const offsetsByNight = new WeakMap<Night, NightOffsets>();

/** The UTC offsets of a night; undefined for invalid times. */
export function nightOffsets(night: Night): NightOffsets | undefined {
  const known = offsetsByNight.get(night);
  if (known) return known;
  const [from, until] = [parseInstant(night.sleep_start_time), parseInstant(night.sleep_end_time)];
  if (!from || !until) return undefined;
  const [before, after] = [from.offsetS ?? 0, until.offsetS ?? 0];
  const period = { startMs: from.ms, endMs: until.ms, before, after };
  const change = before === after ? undefined : findClockChange(period);
  const offsets = { before, after, changeMs: change ?? assumeChange(night, before) };
  offsetsByNight.set(night, offsets);
  return offsets;
}

/** On a journey the clocks count as changed at three in the morning. */
const assumeChange = ({ sleep_end_time }: Night, before: number) =>
  Date.parse(sleep_end_time.slice(0, 10)) + 3 * HOUR_MS - before * 1000;

/** Parses a time HH:MM or HH:MM:SS to minutes after midnight. */
function minutesAfterMidnight(clock: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes + seconds / 60;
}

/** Converts a local time of a day to an instant (epoch ms); a repeated time to the first one. @param date YYYY-MM-DD. */
export function instantOnDay(date: string, clock: string, { before, after, changeMs }: NightOffsets): number {
  const localMs = Date.parse(date) + minutesAfterMidnight(clock) * 60_000;
  const asBefore = localMs - before * 1000;
  return asBefore < changeMs ? asBefore : localMs - after * 1000;
}

/** Converts a local time in a night to an instant (epoch ms). Evening times belong to the previous date. */
export function instantInNight(clock: string, night: Night): number | undefined {
  const offsets = nightOffsets(night);
  if (!offsets) return undefined;
  const isEvening =
    minutesAfterMidnight(clock) >= DAY_MINUTES / 2 &&
    minutesAfterMidnight(clock) >= minutesAfterMidnight(night.sleep_start_time.slice(11, 16));
  const { sleep_start_time: start, sleep_end_time: end } = night;
  return instantOnDay((isEvening ? start : end).slice(0, 10), clock, offsets);
}
