import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { formatInstant } from "../../domain/shared/instant.ts";
import { meanReading, sumBy } from "./day-summaries.ts";
import { type DeviceDay, type Reading, roundTo } from "./device-day.ts";
import { PHONE_PROVIDER } from "./devices.ts";
import type { SimulatedNight, SleepStage } from "./night.ts";
import type { DemoRecord } from "./sample-records.ts";
import { restingBpm } from "./vitals.ts";
import type { SimulatedWorkout } from "./workout.ts";
import { formatDay } from "./zone-calendar.ts";

/** The summary of the sleep that ended on a day; empty before its end. Consistent with hypnogram and samples. */
export function sleepRecords({ simulatedDay, asleep, recordedUntilMs }: DeviceDay): DemoRecord[] {
  const { night, zone, day, person } = simulatedDay;
  if (night.endMs > recordedUntilMs) return [];
  return [
    {
      calendar_date: formatDay(day),
      bedtime_start: formatInstant(night.startMs),
      bedtime_stop: formatInstant(night.endMs),
      timezone_offset: zone.offsetS(night.endMs),
      provider_id: sessionProviderId("sleep", night.startMs),
      type: "long_sleep",
      state: "confirmed",
      ...summarizeStages(night),
      hr_lowest: Math.min(...asleep.heartRate.map(({ value }) => value)),
      hr_average: Math.round(meanReading(asleep.heartRate)),
      hr_resting: Math.round(restingBpm(person, day)),
      average_hrv: roundTo(meanReading(asleep.hrv), 1),
      respiratory_rate: roundTo(meanReading(asleep.breaths), 1),
    },
  ];
}

/** Seconds per stage, efficiency and score. */
function summarizeStages(night: SimulatedNight) {
  const secondsOf = (wanted: SleepStage): number =>
    sumBy(night.segments, ({ stage, startMs, endMs }) => (stage === wanted ? (endMs - startMs) / 1000 : 0));
  const stages = {
    awake: secondsOf("awake"),
    light: secondsOf("light"),
    rem: secondsOf("rem"),
    deep: secondsOf("deep"),
  };
  const duration = (night.endMs - night.startMs) / 1000;
  const total = duration - stages.awake;
  const efficiency = roundTo((100 * total) / duration, 1);
  const falling = night.segments[0]!;
  // Eight hours of sleep and a quarter of deep sleep get the full score.
  const ofLength = Math.min(1, total / (8 * 3600));
  const ofDepth = Math.min(1, stages.deep / (total / 4));
  const score = Math.round(60 * ofLength + 0.2 * efficiency + 20 * ofDepth);
  return { ...stages, duration, total, efficiency, latency: (falling.endMs - falling.startMs) / 1000, score };
}

/** The summary of a day's workout; empty before its end. Sums up the samples. */
export function workoutRecords(recorded: DeviceDay): DemoRecord[] {
  const { simulatedDay, movements, recordedUntilMs } = recorded;
  const { workout, zone, day, person } = simulatedDay;
  if (!workout || workout.endMs > recordedUntilMs) return [];
  const { sport, startMs, endMs } = workout;
  const segments = movements.filter(({ isWorkout }) => isWorkout);
  const beats = workoutHeartRate(recorded, workout);
  const seconds = (endMs - startMs) / 1000;
  const distance = sumBy(segments, ({ distanceM }) => distanceM);
  return [
    {
      calendar_date: formatDay(day),
      time_start: formatInstant(startMs),
      time_end: formatInstant(endMs),
      timezone_offset: zone.offsetS(startMs),
      provider_id: sessionProviderId("workout", startMs),
      title: sport.title,
      sport: { name: sport.name, slug: sport.slug },
      average_hr: Math.round(meanReading(beats)),
      max_hr: Math.max(...beats.map(({ value }) => value)),
      hr_zones: heartRateZones(beats, person.maxBpm),
      distance: roundTo(distance, 1),
      average_speed: roundTo(distance / seconds, 2),
      moving_time: seconds,
      steps: sumBy(segments, ({ steps }) => steps),
      calories: roundTo(
        sumBy(segments, ({ activeKcal }) => activeKcal),
        1,
      ),
    },
  ];
}

/** Seconds below 50, in 50-60, 60-70, 70-80, 80-90 and above 90 % of the maximum heart rate; one minute per reading. */
function heartRateZones(beats: readonly Reading[], maxBpm: number): number[] {
  const zones = [0, 0, 0, 0, 0, 0];
  for (const { value } of beats) {
    const zone = Math.min(5, Math.max(0, Math.floor((10 * value) / maxBpm) - 4));
    zones[zone]! += MINUTE_MS / 1000;
  }
  return zones;
}

/** The heart rate readings of a workout. */
export function workoutHeartRate({ heartRate }: DeviceDay, { startMs, endMs }: SimulatedWorkout): Reading[] {
  return heartRate.filter(({ atMs }) => startMs <= atMs && atMs < endMs);
}

/** The provider's id of a session. Unique: two sessions of a kind never start at the same instant. */
export function sessionProviderId(kind: string, startMs: number): string {
  return `${PHONE_PROVIDER}-${kind}-${startMs / 1000}`;
}
