import { HOUR_MS, MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { type DemoDevice, PHONE_PROVIDER } from "./devices.ts";
import type { Movement } from "./movement.ts";
import { randomNoise } from "./seeded-random.ts";
import type { SimulatedDay } from "./simulated-day.ts";
import { breathingRateAt, heartRateAt, hrvAt, oxygenSaturationAt, sleepingBpm } from "./vitals.ts";
import { timeGrid } from "./zone-calendar.ts";

/** A value at an instant, or of the interval that starts then, epoch ms. */
export interface Reading {
  readonly atMs: number;
  readonly value: number;
}

/** The recording of one device of a day, as of an instant. Samples and summaries use the same readings. */
export interface DeviceDay {
  readonly device: DemoDevice;
  readonly simulatedDay: SimulatedDay;
  /** The recording excludes data that ends later; epoch ms. */
  readonly recordedUntilMs: number;
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

/** Records a day with a device until `recordedUntilMs`. */
export function recordDay(device: DemoDevice, simulatedDay: SimulatedDay, recordedUntilMs: number): DeviceDay {
  const movements = recordMovements(device, simulatedDay).filter(({ endMs }) => endMs <= recordedUntilMs);
  if (!device.isWorn)
    return { device, simulatedDay, recordedUntilMs, movements, heartRate: [], basal: [], asleep: noReadings };
  return {
    device,
    simulatedDay,
    recordedUntilMs,
    movements,
    heartRate: sampleHeartRate(simulatedDay).filter(({ atMs }) => atMs <= recordedUntilMs),
    basal: sampleBasalEnergy(simulatedDay).filter(({ atMs }) => atMs + HOUR_MS <= recordedUntilMs),
    asleep: asleepReadings(simulatedDay, recordedUntilMs),
  };
}

const noReadings: DeviceDay["asleep"] = { heartRate: [], hrv: [], breaths: [], oxygen: [] };

function asleepReadings(lived: SimulatedDay, knownMs: number): DeviceDay["asleep"] {
  const { person, day, night } = lived;
  const each = (minutes: number, measure: (ms: number) => number): Reading[] =>
    timeGrid(night.startMs, night.endMs, minutes * MINUTE_MS)
      .filter((ms) => ms <= knownMs)
      .map((atMs) => ({ atMs, value: measure(atMs) }));
  return {
    heartRate: each(5, (ms) => measureBpm(person, ms, sleepingBpm(person, day, night, ms))),
    hrv: each(15, (ms) => Math.round(hrvAt(person, day, night, ms))),
    breaths: each(15, (ms) => roundTo(breathingRateAt(person, day, ms), 1)),
    oxygen: each(30, (ms) => Math.round(oxygenSaturationAt(person, ms))),
  };
}

/** Samples the heart rate every five minutes, and every minute of a workout. */
function sampleHeartRate(lived: SimulatedDay): Reading[] {
  const { startMs, endMs, workout, person } = lived;
  const times = new Set(timeGrid(startMs, endMs, 5 * MINUTE_MS));
  if (workout) for (const ms of timeGrid(workout.startMs, workout.endMs, MINUTE_MS)) times.add(ms);
  const measured = (atMs: number) => ({ atMs, value: measureBpm(person, atMs, heartRateAt(lived, atMs)) });
  return [...times].toSorted((a, b) => a - b).map(measured);
}

/** Measures a heart rate with the error of the watch. */
function measureBpm({ random }: DemoPerson, ms: number, bpm: number): number {
  return Math.round(bpm + 0.7 * randomNoise(random, `${PHONE_PROVIDER} beats`, ms / MINUTE_MS));
}

function sampleBasalEnergy({ startMs, endMs, person }: SimulatedDay): Reading[] {
  const hours = timeGrid(0, endMs - startMs, HOUR_MS).map((ms) => startMs + ms);
  return hours.map((atMs) => ({ atMs, value: roundTo(person.basalKcalPerHour, 1) }));
}

/** Each device counts with its own error. A carried device misses workouts and a part of the movements. */
function recordMovements(device: DemoDevice, { movements, person: { random } }: SimulatedDay): Movement[] {
  const name = `${PHONE_PROVIDER} ${device.sourceType}`;
  const isSeen = ({ startMs, isWorkout }: Movement): boolean =>
    device.isWorn || (!isWorkout && random(`${name} carried`, startMs / MINUTE_MS) < 0.65);
  return movements.filter(isSeen).map((movement) => {
    const factor = 1 + 0.02 * randomNoise(random, name, movement.startMs / MINUTE_MS);
    return {
      ...movement,
      steps: Math.round(movement.steps * factor),
      distanceM: roundTo(movement.distanceM * factor, 1),
      activeKcal: roundTo(movement.activeKcal * factor, 1),
    };
  });
}

/** Rounds to a number of decimal places. */
export function roundTo(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
