import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { Exercise } from "./replies.ts";

/** Parses an ISO 8601 duration of days, hours, minutes and seconds; NaN for any other text. */
export function parseDurationSeconds(text: string): number {
  const parts = DURATION.exec(text);
  if (parts === null) return Number.NaN;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}

const DURATION = /^P(?=\d|T\d)(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;

/** Start of an exercise, epoch ms. Polar reports the local time and the UTC offset in minutes. */
export function exerciseStartMs({ start_time, start_time_utc_offset }: Exercise): number {
  return Date.parse(`${start_time}Z`) - start_time_utc_offset * 60_000;
}

/** Maps an exercise: kcal and metres in both models. */
export function toWorkout(done: Exercise) {
  const startMs = exerciseStartMs(done);
  return {
    provider_id: done.id,
    time_start: formatUtc(startMs),
    time_end: formatUtc(startMs + parseDurationSeconds(done.duration) * 1000),
    timezone_offset: done.start_time_utc_offset * 60,
    sport: parseSport(done.detailed_sport_info ?? done.sport ?? ""),
    calories: done.calories ?? null,
    distance: done.distance ?? null,
    average_hr: roundOrNull(done.heart_rate?.average),
    max_hr: roundOrNull(done.heart_rate?.maximum),
  };
}
