import { type DemoDevice, PHONE_PROVIDER } from "./devices.ts";
import { noise } from "./draws.ts";
import type { LivedDay } from "./lived-day.ts";
import type { Movement } from "./movement.ts";
import type { Person } from "./person.ts";
import { breathsAt, heartRateAt, hrvAt, oxygenAt, sleepingBpm } from "./vitals.ts";
import { gridOf, HOUR_MS, MINUTE_MS } from "./zone-days.ts";

/** A value at an instant, or of the interval that starts then, epoch ms. */
export interface Reading {
  readonly atMs: number;
  readonly value: number;
}

/** The recording of one device of a day, as of an instant. Samples and summaries use the same readings. */
export interface DeviceDay {
  readonly device: DemoDevice;
  readonly lived: LivedDay;
  /** The recording excludes data that ends later; epoch ms. */
  readonly knownMs: number;
  readonly movements: readonly Movement[];
  /** Beats per minute, integers. */
  readonly heartRate: readonly Reading[];
  /** Basal energy of the hour that starts then, kcal. */
  readonly basal: readonly Reading[];
  /** Readings of the night that ends on this day. */
  readonly asleep: {
    readonly heartRate: readonly Reading[];
    readonly hrv: readonly Reading[];
    readonly breaths: readonly Reading[];
    readonly oxygen: readonly Reading[];
  };
}

/** Records a day with a device until `knownMs`. */
export function recordDay(device: DemoDevice, lived: LivedDay, knownMs: number): DeviceDay {
  const movements = movementsSeen(device, lived).filter(({ endMs }) => endMs <= knownMs);
  if (!device.isWorn) return { device, lived, knownMs, movements, heartRate: [], basal: [], asleep: nothing };
  return {
    device,
    lived,
    knownMs,
    movements,
    heartRate: heartRateOf(lived).filter(({ atMs }) => atMs <= knownMs),
    basal: basalOf(lived).filter(({ atMs }) => atMs + HOUR_MS <= knownMs),
    asleep: asleepReadings(lived, knownMs),
  };
}

const nothing: DeviceDay["asleep"] = { heartRate: [], hrv: [], breaths: [], oxygen: [] };

function asleepReadings(lived: LivedDay, knownMs: number): DeviceDay["asleep"] {
  const { person, day, night } = lived;
  const each = (minutes: number, measure: (ms: number) => number): Reading[] =>
    gridOf(night.startMs, night.endMs, minutes * MINUTE_MS)
      .filter((ms) => ms <= knownMs)
      .map((atMs) => ({ atMs, value: measure(atMs) }));
  return {
    heartRate: each(5, (ms) => beats(person, ms, sleepingBpm(person, day, night, ms))),
    hrv: each(15, (ms) => Math.round(hrvAt(person, day, night, ms))),
    breaths: each(15, (ms) => rounded(breathsAt(person, day, ms), 1)),
    oxygen: each(30, (ms) => Math.round(oxygenAt(person, ms))),
  };
}

/** Samples the heart rate every five minutes, and every minute of a workout. */
function heartRateOf(lived: LivedDay): Reading[] {
  const { startMs, endMs, workout, person } = lived;
  const times = new Set(gridOf(startMs, endMs, 5 * MINUTE_MS));
  if (workout) for (const ms of gridOf(workout.startMs, workout.endMs, MINUTE_MS)) times.add(ms);
  const measured = (atMs: number) => ({ atMs, value: beats(person, atMs, heartRateAt(lived, atMs)) });
  return [...times].toSorted((a, b) => a - b).map(measured);
}

/** Measures a heart rate with the error of the watch. */
function beats({ draw }: Person, ms: number, bpm: number): number {
  return Math.round(bpm + 0.7 * noise(draw, `${PHONE_PROVIDER} beats`, ms / MINUTE_MS));
}

function basalOf({ startMs, endMs, person }: LivedDay): Reading[] {
  const hours = gridOf(0, endMs - startMs, HOUR_MS).map((ms) => startMs + ms);
  return hours.map((atMs) => ({ atMs, value: rounded(person.basalKcalPerHour, 1) }));
}

/** Each device counts with its own error. A carried device misses workouts and a part of the movements. */
function movementsSeen(device: DemoDevice, { movements, person: { draw } }: LivedDay): Movement[] {
  const name = `${PHONE_PROVIDER} ${device.sourceType}`;
  const isSeen = ({ startMs, isWorkout }: Movement): boolean =>
    device.isWorn || (!isWorkout && draw(`${name} carried`, startMs / MINUTE_MS) < 0.65);
  return movements.filter(isSeen).map((movement) => {
    const factor = 1 + 0.02 * noise(draw, name, movement.startMs / MINUTE_MS);
    return {
      ...movement,
      steps: Math.round(movement.steps * factor),
      distanceM: rounded(movement.distanceM * factor, 1),
      activeKcal: rounded(movement.activeKcal * factor, 1),
    };
  });
}

/** Rounds to a number of decimal places. */
export function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
