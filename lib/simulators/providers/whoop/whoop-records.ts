import { formatOffset } from "../base/local-time.ts";
import { stableNumber } from "../base/stable-ids.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { roundedMean, secondsInStage } from "../synthetic-data/synthetic-sleep.ts";
import { type SyntheticWorkout, summarizeWorkout } from "../synthetic-data/synthetic-workout.ts";
import { SCORING_DELAY_MS, whoopRecordId, whoopUserId } from "./whoop-expected-records.ts";

const KJ_PER_KCAL = 4.184;

/** A record and its start time. */
export interface WhoopRecord {
  readonly id: number | string;
  readonly startMs: number;
  readonly body: object;
}

/** Common fields of all records. The score follows some time after the end. */
function commonFields(
  person: SyntheticPerson,
  times: { startMs: number; endMs: number; offsetS: number },
  nowMs: number,
) {
  const isScored = times.endMs + SCORING_DELAY_MS <= nowMs;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    user_id: whoopUserId(person.account),
    created_at: iso(times.endMs),
    updated_at: iso(times.endMs),
    start: iso(times.startMs),
    end: iso(times.endMs),
    timezone_offset: formatOffset(times.offsetS),
    score_state: isScored ? "SCORED" : "PENDING_SCORE",
  };
}

function scoreField(fields: { readonly score_state: string }, score: object) {
  return fields.score_state === "SCORED" ? { score } : {};
}

/** A cycle lasts from one night to the next; the current cycle has no end. */
export function toCycleRecord(plan: SyntheticPerson, day: SyntheticDay, nowMs: number): WhoopRecord {
  const next = plan.day(day.day + 1).sleep.startMs;
  const { sleep } = day;
  const fields = commonFields(plan, { startMs: sleep.startMs, endMs: next, offsetS: sleep.offsetS }, nowMs);
  const isOver = next <= nowMs;
  const score = {
    strain: 9.5,
    kilojoule: (day.activeKcal + day.basalKcal) * KJ_PER_KCAL,
    average_heart_rate: day.restingBpm + 14,
    max_heart_rate: 160,
  };
  const id = cycleId(plan, day);
  const begun = { ...fields, created_at: fields.start, updated_at: fields.start, end: isOver ? fields.end : null };
  return { id, startMs: sleep.startMs, body: { id, ...begun, ...scoreField(fields, score) } };
}

function cycleId(plan: SyntheticPerson, day: SyntheticDay): number {
  return stableNumber(`whoop ${plan.account} cycle ${day.date}`);
}

export function toSleepRecord(plan: SyntheticPerson, day: SyntheticDay, nowMs: number): WhoopRecord {
  const { sleep } = day;
  const fields = commonFields(plan, sleep, nowMs);
  const inBed = (sleep.endMs - sleep.startMs) / 1000;
  const awake = secondsInStage(sleep, "awake");
  const score = {
    stage_summary: {
      total_in_bed_time_milli: inBed * 1000,
      total_awake_time_milli: awake * 1000,
      total_no_data_time_milli: 0,
      total_light_sleep_time_milli: secondsInStage(sleep, "light") * 1000,
      total_slow_wave_sleep_time_milli: secondsInStage(sleep, "deep") * 1000,
      total_rem_sleep_time_milli: secondsInStage(sleep, "rem") * 1000,
      sleep_cycle_count: 4,
      disturbance_count: 3,
    },
    sleep_needed: {
      baseline_milli: 27_000_000,
      need_from_sleep_debt_milli: 0,
      need_from_recent_strain_milli: 0,
      need_from_recent_nap_milli: 0,
    },
    respiratory_rate: sleep.breathsPerMinute,
    sleep_performance_percentage: sleep.score,
    sleep_consistency_percentage: 80,
    sleep_efficiency_percentage: Math.round((100 * (inBed - awake)) / inBed),
  };
  const id = whoopRecordId(plan.account, "sleep", day.date);
  const body = { id, cycle_id: cycleId(plan, day), ...fields, nap: false, ...scoreField(fields, score) };
  return { id, startMs: sleep.startMs, body };
}

export function toRecoveryRecord(plan: SyntheticPerson, day: SyntheticDay, nowMs: number): WhoopRecord {
  const { start: _, end: __, timezone_offset: ___, ...fields } = commonFields(plan, day.sleep, nowMs);
  const score = {
    user_calibrating: false,
    recovery_score: day.readiness,
    resting_heart_rate: day.restingBpm,
    hrv_rmssd_milli: roundedMean(day.sleep.hrvMs),
    spo2_percentage: day.oxygenPercent,
    skin_temp_celsius: 33 + day.temperatureDelta,
  };
  const id = whoopRecordId(plan.account, "sleep", day.date);
  const body = { cycle_id: cycleId(plan, day), sleep_id: id, ...fields, ...scoreField(fields, score) };
  return { id, startMs: day.sleep.startMs, body };
}

export function toWorkoutRecord(
  plan: SyntheticPerson,
  day: SyntheticDay,
  workout: SyntheticWorkout,
  nowMs: number,
): WhoopRecord {
  const fields = commonFields(plan, workout, nowMs);
  const { averageBpm, maxBpm, distanceM, elevationGainM, zonesS } = summarizeWorkout(workout);
  const names = ["zero", "one", "two", "three", "four", "five"];
  const score = {
    strain: 8.1,
    average_heart_rate: averageBpm,
    max_heart_rate: maxBpm,
    kilojoule: workout.kcal * KJ_PER_KCAL,
    percent_recorded: 1,
    ...(distanceM > 0
      ? { distance_meter: distanceM, altitude_gain_meter: elevationGainM, altitude_change_meter: 0 }
      : {}),
    zone_durations: Object.fromEntries(names.map((name, zone) => [`zone_${name}_milli`, zonesS[zone]! * 1000])),
  };
  const sport = workout.sport.slug === "strength_training" ? "weightlifting" : workout.sport.slug;
  const id = whoopRecordId(plan.account, "workout", day.date);
  return { id, startMs: workout.startMs, body: { id, ...fields, sport_name: sport, ...scoreField(fields, score) } };
}
