import { type DeviceDay, type Reading, rounded } from "./device-day.ts";
import type { Movement } from "./movement.ts";
import { type DemoRecord, pointsOf, sampleRecorders } from "./sample-records.ts";
import { beatsOf, providerId } from "./session-summaries.ts";
import { gridOf, MINUTE_MS } from "./zone-days.ts";

/** Interval between two points of a workout stream. */
const STEP_MS = 10_000;

/** Number and relative amplitude of the speed waves within a movement. */
const WAVES = 3;
const WAVE = 0.06;

/** The stream of the sleep that ended on a day; empty before its end. */
export function sleepStreams(recorded: DeviceDay): DemoRecord[] {
  const { lived, asleep, knownMs } = recorded;
  const { night, zone } = lived;
  if (night.endMs > knownMs) return [];
  return [
    {
      provider_id: providerId("sleep", night.startMs),
      heartrate: pointsOf(zone, asleep.heartRate),
      hrv: pointsOf(zone, asleep.hrv),
      respiratory_rate: pointsOf(zone, asleep.breaths),
      hypnogram: sampleRecorders.hypnogram(recorded),
    },
  ];
}

/** The stream of a day's workout; empty before its end. Interpolates the samples and keeps their totals. */
export function workoutStreams(recorded: DeviceDay): DemoRecord[] {
  const { lived, movements, knownMs } = recorded;
  const { workout } = lived;
  if (!workout || workout.endMs > knownMs) return [];
  const beats = beatsOf(recorded, workout);
  const stretches = movements.filter(({ isWorkout }) => isWorkout);
  const points = gridOf(workout.startMs, workout.endMs + 1, STEP_MS).map((ms) => ({ ms, ...motionAt(stretches, ms) }));
  const cadence = points.map(({ stepsPerMinute }) => Math.round(stepsPerMinute));
  return [
    {
      provider_id: providerId("workout", workout.startMs),
      time: points.map(({ ms }) => ms / 1000),
      heartrate: points.map(({ ms }) => Math.round(beatAt(beats, ms))),
      distance: points.map(({ distanceM }) => rounded(distanceM, 1)),
      velocity_smooth: points.map(({ metresPerSecond }) => rounded(metresPerSecond, 2)),
      // Cycling has no steps, and the devices have no cadence sensor.
      ...(workout.sport.stepsPerMinute > 0 ? { cadence } : {}),
    },
  ];
}

/** Heart rate in a workout, bpm; linear interpolation between readings per minute. */
function beatAt(beats: readonly Reading[], ms: number): number {
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
  for (const stretch of stretches.filter(({ startMs }) => startMs <= ms)) {
    const lengthMs = stretch.endMs - stretch.startMs;
    const part = Math.min(1, (ms - stretch.startMs) / lengthMs);
    const phase = 2 * Math.PI * WAVES * part;
    const pace = 1 + WAVE * Math.cos(phase);
    // The integral of the pace over the interval; reaches its whole distance at its end.
    distanceM += stretch.distanceM * (part + (WAVE * Math.sin(phase)) / (2 * Math.PI * WAVES));
    metresPerSecond = (pace * stretch.distanceM * 1000) / lengthMs;
    stepsPerMinute = (pace * stretch.steps * MINUTE_MS) / lengthMs;
  }
  return { distanceM, metresPerSecond, stepsPerMinute };
}
