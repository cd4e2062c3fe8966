import type * as z from "zod";
import { parseInstant } from "../../domain/shared/instant.ts";
import { localDate } from "../../domain/summaries/session.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { bodyMeasurement, Cycle, Recovery, Sleep, Workout } from "./replies.ts";

const KJ_PER_KCAL = 4.184;
const ZONES = ["zero", "one", "two", "three", "four", "five"] as const;

/** Returns true if a record has its score. Pulls skip unscored records; WHOOP lists them again once scored. */
export const isScored = ({ score_state }: { readonly score_state: string }): boolean => score_state === "SCORED";

type StageSummary = NonNullable<Sleep["score"]>["stage_summary"];

const seconds = (milliseconds: number) => Math.round(milliseconds / 1000);
const secondsOrNull = (milliseconds: number | null | undefined) =>
  milliseconds == null ? null : seconds(milliseconds);
const kcal = (kilojoule: number | null | undefined) => (kilojoule == null ? null : kilojoule / KJ_PER_KCAL);

/** Parses an offset such as `+01:00` to seconds east of UTC; null for anything else. */
function parseOffset(text: string | null | undefined): number | null {
  const written = text === "Z" ? "+00:00" : (text ?? "");
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(written) ?? [];
  return sign === undefined ? null : (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60 : 60);
}

/** Maps a cycle, which lasts from one night to the next, to the activity of the date at its midpoint. */
export function toActivity({ start, end, timezone_offset, score }: Cycle) {
  const [from, until] = [parseInstant(start), parseInstant(end)];
  if (!from || !until || !score) return [];
  const heartRate = { avg_bpm: score.average_heart_rate ?? null, max_bpm: score.max_heart_rate ?? null };
  return [
    {
      calendar_date: localDate((from.ms + until.ms) / 2, parseOffset(timezone_offset)),
      timezone_offset: parseOffset(timezone_offset),
      calories_total: kcal(score.kilojoule),
      heart_rate: { ...heartRate, min_bpm: null, resting_bpm: null, avg_walking_bpm: null },
    },
  ];
}

/** Maps a sleep and the recovery derived from it. */
export function toSleep({ id, start, end, timezone_offset, nap, score }: Sleep, recovery: Recovery["score"]) {
  if (!score) return [];
  const { stage_summary: stages } = score;
  const [light, rem, deep, awake, duration] = [
    secondsOrNull(stages.total_light_sleep_time_milli),
    secondsOrNull(stages.total_rem_sleep_time_milli),
    secondsOrNull(stages.total_slow_wave_sleep_time_milli),
    secondsOrNull(stages.total_awake_time_milli),
    secondsOrNull(stages.total_in_bed_time_milli),
  ];
  return [
    {
      provider_id: id,
      bedtime_start: start,
      bedtime_stop: end,
      timezone_offset: parseOffset(timezone_offset),
      ...(nap ? { type: "acknowledged_nap" } : {}),
      ...(duration === null ? {} : { duration }),
      ...timeAsleep(stages),
      awake: awake ?? 0,
      light: light ?? 0,
      rem: rem ?? 0,
      deep: deep ?? 0,
      efficiency: score.sleep_efficiency_percentage ?? null,
      score: roundOrNull(score.sleep_performance_percentage),
      respiratory_rate: score.respiratory_rate ?? null,
      hr_resting: roundOrNull(recovery?.resting_heart_rate),
      average_hrv: recovery?.hrv_rmssd_milli ?? null,
      recovery_readiness_score: roundOrNull(recovery?.recovery_score),
      skin_temperature: recovery?.skin_temp_celsius ?? null,
    },
  ];
}

/** The time asleep: the sum of the stages or, without one of them, what is left of the time in bed. */
function timeAsleep(stages: StageSummary) {
  const [light, rem, deep] = [
    secondsOrNull(stages.total_light_sleep_time_milli),
    secondsOrNull(stages.total_rem_sleep_time_milli),
    secondsOrNull(stages.total_slow_wave_sleep_time_milli),
  ];
  if (light !== null && rem !== null && deep !== null) return { total: light + rem + deep };
  const { total_in_bed_time_milli: inBed, total_awake_time_milli: awake, total_no_data_time_milli: unseen } = stages;
  return inBed == null || awake == null ? {} : { total: seconds(inBed - awake - (unseen ?? 0)) };
}

/** Converts the mean of a sleep to a sample at its end. */
export function toSampleAtEnd({ end, timezone_offset }: Sleep, value: number | null | undefined) {
  return value == null ? [] : [{ timestamp: end, timezone_offset: parseOffset(timezone_offset), value }];
}

/** Maps a workout. Converts energy from kJ and zone durations from milliseconds. */
export function toWorkout({ id, start, end, timezone_offset, sport_name, score }: Workout) {
  if (!score) return [];
  return [
    {
      provider_id: id,
      time_start: start,
      time_end: end,
      timezone_offset: parseOffset(timezone_offset),
      sport: parseSport(sport_name === "weightlifting" ? "strength_training" : (sport_name ?? "")),
      calories: kcal(score.kilojoule),
      average_hr: roundOrNull(score.average_heart_rate),
      max_hr: roundOrNull(score.max_heart_rate),
      distance: score.distance_meter ?? null,
      total_elevation_gain: score.altitude_gain_meter ?? null,
      hr_zones: toZones(score.zone_durations),
    },
  ];
}

/** Seconds in each zone. The list has no place for an unknown duration. */
function toZones(zones: NonNullable<Workout["score"]>["zone_durations"]) {
  const durations = ZONES.flatMap((name) => zones?.[`zone_${name}_milli`] ?? []).map(seconds);
  return durations.length === ZONES.length ? durations : null;
}

/** Maps the current profile and weight. Converts metres to centimetres. @param date the date of the weight. */
export function toPerson(
  { height_meter: height, weight_kilogram: weight }: z.output<typeof bodyMeasurement>,
  date: string,
) {
  return {
    profile: [{ height: height == null ? null : Math.round(height * 100) }],
    body: weight == null ? [] : [{ calendar_date: date, weight }],
  };
}
