import { type DeviceDay, type Reading, rounded } from "./device-day.ts";
import type { Movement } from "./movement.ts";
import { type DemoRecord, pointsOf, sampleRecorders } from "./sample-records.ts";
import { beatsOf, providerId } from "./session-summaries.ts";
import { gridOf, MINUTE_MS } from "./zone-days.ts";

/** Between two points of a workout's stream. */
const STEP_MS = 10_000;

/** Speed in a stretch rises and falls so often, by such a part of it. */
const WAVES = 3;
const WAVE = 0.06;

/** The course of the sleep that ended on a day, once it did: the samples that were taken in it. */
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

/** The course of the workout of a day, once it is over: between its samples, and adding up to the same. */
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
      // Nobody steps on a bicycle, and nothing counts its pedals.
      ...(workout.sport.stepsPerMinute > 0 ? { cadence } : {}),
    },
  ];
}

/** Heart rate in a workout: straight between the beats of two minutes, bpm. */
function beatAt(beats: readonly Reading[], ms: number): number {
  const minutes = (ms - beats[0]!.atMs) / MINUTE_MS;
  const last = beats.length - 1;
  const before = beats[Math.min(last, Math.floor(minutes))]!.value;
  const after = beats[Math.min(last, Math.ceil(minutes))]!.value;
  return before + (after - before) * (minutes % 1);
}

/** How far somebody has come at an instant of a workout, and how fast it goes then. */
function motionAt(stretches: readonly Movement[], ms: number) {
  let distanceM = 0;
  let metresPerSecond = 0;
  let stepsPerMinute = 0;
  for (const stretch of stretches.filter(({ startMs }) => startMs <= ms)) {
    const lengthMs = stretch.endMs - stretch.startMs;
    const part = Math.min(1, (ms - stretch.startMs) / lengthMs);
    const phase = 2 * Math.PI * WAVES * part;
    const pace = 1 + WAVE * Math.cos(phase);
    // The integral of the pace over the stretch: all of it at its end.
    distanceM += stretch.distanceM * (part + (WAVE * Math.sin(phase)) / (2 * Math.PI * WAVES));
    metresPerSecond = (pace * stretch.distanceM * 1000) / lengthMs;
    stepsPerMinute = (pace * stretch.steps * MINUTE_MS) / lengthMs;
  }
  return { distanceM, metresPerSecond, stepsPerMinute };
}
