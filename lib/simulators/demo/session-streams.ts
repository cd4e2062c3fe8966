import { MINUTE_MS } from "../../domain/shared/durations.ts";
import { type DeviceDay, type Reading, roundTo } from "./device-day.ts";
import type { Movement } from "./movement.ts";
import { type DemoRecord, sampleBuilders, toPointSamples } from "./sample-records.ts";
import { sessionProviderId, workoutHeartRate } from "./session-summaries.ts";
import { timeGrid } from "./zone-calendar.ts";

/** Interval between two points of a workout stream. */
const STREAM_INTERVAL_MS = 10_000;

/** Number and relative amplitude of the speed waves within a movement. */
const SPEED_WAVES = 3;
const SPEED_WAVE_AMPLITUDE = 0.06;

/** The stream of the sleep that ended on a day; empty before its end. */
export function sleepStreams(recorded: DeviceDay): DemoRecord[] {
  const { simulatedDay, asleep, recordedUntilMs } = recorded;
  const { night, zone } = simulatedDay;
  if (night.endMs > recordedUntilMs) return [];
  return [
    {
      provider_id: sessionProviderId("sleep", night.startMs),
      heartrate: toPointSamples(zone, asleep.heartRate),
      hrv: toPointSamples(zone, asleep.hrv),
      respiratory_rate: toPointSamples(zone, asleep.breaths),
      hypnogram: sampleBuilders.hypnogram(recorded),
    },
  ];
}

/** The stream of a day's workout; empty before its end. Interpolates the samples and keeps their totals. */
export function workoutStreams(recorded: DeviceDay): DemoRecord[] {
  const { simulatedDay, movements, recordedUntilMs } = recorded;
  const { workout } = simulatedDay;
  if (!workout || workout.endMs > recordedUntilMs) return [];
  const beats = workoutHeartRate(recorded, workout);
  const segments = movements.filter(({ isWorkout }) => isWorkout);
  const points = timeGrid(workout.startMs, workout.endMs + 1, STREAM_INTERVAL_MS).map((ms) => ({
    ms,
    ...motionAt(segments, ms),
  }));
  const cadence = points.map(({ stepsPerMinute }) => Math.round(stepsPerMinute));
  return [
    {
      provider_id: sessionProviderId("workout", workout.startMs),
      time: points.map(({ ms }) => ms / 1000),
      heartrate: points.map(({ ms }) => Math.round(interpolateHeartRate(beats, ms))),
      distance: points.map(({ distanceM }) => roundTo(distanceM, 1)),
      velocity_smooth: points.map(({ metresPerSecond }) => roundTo(metresPerSecond, 2)),
      // Cycling has no steps, and the devices have no cadence sensor.
      ...(workout.sport.stepsPerMinute > 0 ? { cadence } : {}),
    },
  ];
}

/** Heart rate in a workout, bpm; linear interpolation between readings per minute. */
function interpolateHeartRate(beats: readonly Reading[], ms: number): number {
  const minutes = (ms - beats[0]!.atMs) / MINUTE_MS;
  const last = beats.length - 1;
  const before = beats[Math.min(last, Math.floor(minutes))]!.value;
  const after = beats[Math.min(last, Math.ceil(minutes))]!.value;
  return before + (after - before) * (minutes % 1);
}

/** Distance, speed and cadence at an instant of a workout. */
function motionAt(stretches: readonly Movement[], ms: number) {
  let distanceM = 0;
  let metresPerSecond = 0;
  let stepsPerMinute = 0;
  for (const segment of stretches.filter(({ startMs }) => startMs <= ms)) {
    const lengthMs = segment.endMs - segment.startMs;
    const part = Math.min(1, (ms - segment.startMs) / lengthMs);
    const phase = 2 * Math.PI * SPEED_WAVES * part;
    const pace = 1 + SPEED_WAVE_AMPLITUDE * Math.cos(phase);
    // The integral of the pace over the interval; reaches its whole distance at its end.
    distanceM += segment.distanceM * (part + (SPEED_WAVE_AMPLITUDE * Math.sin(phase)) / (2 * Math.PI * SPEED_WAVES));
    metresPerSecond = (pace * segment.distanceM * 1000) / lengthMs;
    stepsPerMinute = (pace * segment.steps * MINUTE_MS) / lengthMs;
  }
  return { distanceM, metresPerSecond, stepsPerMinute };
}
