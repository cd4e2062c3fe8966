import type * as z from "zod";
import { DAY_MS } from "../../domain/shared/durations.ts";
import { toBodyDays } from "../../domain/summaries/body-days.ts";
import { formatUtc } from "../format-utc.ts";
import { minutesToSeconds, roundOrNull } from "../nullable-numbers.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import { zoneOffset } from "../zone-offset.ts";
import type * as replies from "./replies.ts";

/** Older devices report only `asleep`, `restless` and `awake`; only `awake` maps to a stage of the unified model. */
const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = {
  deep: 1,
  light: 2,
  rem: 3,
  wake: 4,
  awake: 4,
};

/**
 * Converts a local time to an instant (epoch ms). An ambiguous time maps to the earlier instant, and a time that the clock
 * skips to the one as far after the change; an unknown zone or an invalid time to NaN.
 */
export function instantInZone(wallTime: string, timeZone: string): number {
  const shown = Date.parse(`${wallTime}Z`);
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((ms) => 1000 * (zoneOffset(timeZone, ms) ?? Number.NaN));
  const instants = offsets.map((offset) => shown - offset);
  const real = instants.filter((ms) => ms + 1000 * (zoneOffset(timeZone, ms) ?? Number.NaN) === shown);
  return real.length > 0 ? Math.min(...real) : (instants[0] ?? Number.NaN);
}

/** Maps the activity of a day; empty without data. Converts distances from km to m. */
export function toActivity(calendar_date: string, { summary }: z.output<typeof replies.activity>) {
  if (!summary.caloriesOut && !summary.steps) return [];
  const total = summary.distances.find(({ activity }) => activity === "total")?.distance;
  const day = {
    calendar_date,
    steps: summary.steps ?? null,
    calories_total: summary.caloriesOut ?? null,
    calories_active: summary.activityCalories ?? null,
    distance: total === undefined ? null : Math.round(total * 1e6) / 1e3,
    low: summary.lightlyActiveMinutes ?? null,
    medium: summary.fairlyActiveMinutes ?? null,
    high: summary.veryActiveMinutes ?? null,
    floors_climbed: summary.floors ?? null,
    heart_rate: summary.restingHeartRate == null ? null : { resting_bpm: summary.restingHeartRate },
  };
  return [day];
}

/** Maps a sleep log. Converts durations from ms and minutes to seconds. */
export function toSleep(night: replies.Night, timeZone: string) {
  const { startMs, endMs, stages } = toStages(night, timeZone);
  const secondsIn = (code: number) =>
    Math.round(stages.reduce((sum, one) => sum + (one.code === code ? one.endMs - one.startMs : 0), 0) / 1000);
  const total = minutesToSeconds(night.minutesAsleep);
  return {
    provider_id: String(night.logId),
    calendar_date: night.dateOfSleep,
    bedtime_start: formatUtc(startMs),
    bedtime_stop: formatUtc(endMs),
    timezone_offset: zoneOffset(timeZone, endMs),
    duration: Math.round(night.duration / 1000),
    ...(total === null ? {} : { total }),
    awake: minutesToSeconds(night.minutesAwake) ?? 0,
    light: secondsIn(2),
    rem: secondsIn(3),
    deep: secondsIn(1),
    latency: minutesToSeconds(night.minutesToFallAsleep),
    efficiency: night.efficiency ?? null,
  };
}

/** Maps the stages of a night to a `sleep_cycle` record. */
export function toCycle(night: replies.Night, timeZone: string) {
  const { startMs, endMs, stages } = toStages(night, timeZone);
  return toSleepCycle(startMs, endMs, stages, zoneOffset(timeZone, endMs));
}

/** Maps the stages of a night to a sleep stream. */
export function toSleepStream(night: replies.Night, timeZone: string) {
  const { startMs, stages } = toStages(night, timeZone);
  const hypnogram = toHypnogram(stages, zoneOffset(timeZone, startMs));
  return hypnogram.length === 0 ? [] : [{ provider_id: String(night.logId), hypnogram }];
}

/**
 * Derives the stages from their durations: their local times are ambiguous in a night with a clock change. Short wakes,
 * which count as awake in the sums of the night, interrupt them.
 */
function toStages({ startTime, duration, levels }: replies.Night, timeZone: string) {
  const startMs = instantInZone(startTime, timeZone);
  const endMs = startMs + duration;
  let at = startMs;
  const stages = (levels?.data ?? []).map(({ level, seconds }): SleepStageInterval => {
    const begin = at;
    at = Math.min(endMs, at + seconds * 1000);
    return { code: stageCodes[level] ?? -1, startMs: begin, endMs: at };
  });
  const awake = (levels?.shortData ?? []).flatMap(({ level, dateTime, seconds }): SleepStageInterval[] => {
    const begunMs = instantInZone(dateTime, timeZone);
    const part = { startMs: Math.max(begunMs, startMs), endMs: Math.min(begunMs + seconds * 1000, at) };
    return stageCodes[level] === 4 && part.startMs < part.endMs ? [{ code: 4, ...part }] : [];
  });
  return { startMs, endMs, stages: mergeStages(awake.reduce(interrupt, stages)) };
}

/** Puts an interval in the place of parts of others. */
function interrupt(stages: readonly SleepStageInterval[], by: SleepStageInterval): SleepStageInterval[] {
  const rest = stages.flatMap((one) => [
    { ...one, endMs: Math.min(one.endMs, by.startMs) },
    { ...one, startMs: Math.max(one.startMs, by.endMs) },
  ]);
  return [...rest.filter(({ startMs, endMs }) => startMs < endMs), by];
}

/** Maps the weight logs of whole days, kg and percent in both models. Times are those of the user's clocks. */
export function toBodies(weights: z.output<typeof replies.weights>["weight"]) {
  return toBodyDays(
    weights.map(({ date, time, weight, fat, bmi }) => ({
      calendar_date: date,
      atMs: Date.parse(`${date}T${time ?? "00:00:00"}Z`),
      values: { weight, fat, body_mass_index: bmi },
    })),
  );
}

/** Maps the profile: height is in centimetres in both models. */
export function toProfile({ user: { height, dateOfBirth, gender } }: z.output<typeof replies.user>) {
  const sex = gender?.toLowerCase();
  const known = sex === "male" || sex === "female" ? sex : null;
  const birth_date = dateOfBirth || null;
  return { height: roundOrNull(height), birth_date, gender: known, sex: known };
}
