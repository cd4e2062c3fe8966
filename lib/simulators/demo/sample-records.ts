import { formatInstant } from "../../domain/timeseries/instant.ts";
import { type DeviceDay, type Reading, rounded } from "./device-day.ts";
import type { DemoResource } from "./devices.ts";
import type { Movement } from "./movement.ts";
import type { SleepStage } from "./night.ts";
import { weighingOn } from "./weighing.ts";
import type { ZoneDays } from "./zone-days.ts";

/** An unvalidated record. */
export type DemoRecord = Readonly<Record<string, unknown>>;

/** Builds the records of one resource from the recording of a day. */
export type Recorder = (recorded: DeviceDay) => DemoRecord[];

/** Hypnogram codes of the public API. */
const hypnogramCodes: Readonly<Record<SleepStage, number>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** The builders of samples by resource. */
export const sampleRecorders = {
  heartrate: ({ lived, heartRate }) => pointsOf(lived.zone, heartRate),
  steps: (recorded) => spansOf(recorded, ({ steps }) => steps),
  distance: (recorded) => spansOf(recorded, ({ distanceM }) => distanceM),
  calories_active: (recorded) => spansOf(recorded, ({ activeKcal }) => activeKcal),
  calories_basal: ({ lived, basal }) => pointsOf(lived.zone, basal),
  hrv: ({ lived, asleep }) => pointsOf(lived.zone, asleep.hrv),
  respiratory_rate: ({ lived, asleep }) => pointsOf(lived.zone, asleep.breaths),
  blood_oxygen: ({ lived, asleep }) => pointsOf(lived.zone, asleep.oxygen),
  hypnogram,
  body_weight: bodyWeight,
} satisfies Partial<Record<DemoResource, Recorder>>;

/** Hypnogram of the night that ended on the day. Devices determine stages only after the night. */
function hypnogram({ lived: { night, zone }, knownMs }: DeviceDay): DemoRecord[] {
  if (night.endMs > knownMs) return [];
  return night.segments.map(({ stage, startMs, endMs }) => span(zone, startMs, endMs, hypnogramCodes[stage]));
}

function bodyWeight({ lived, knownMs }: DeviceDay): DemoRecord[] {
  const weighing = weighingOn(lived);
  if (!weighing || weighing.atMs > knownMs) return [];
  return pointsOf(lived.zone, [{ atMs: weighing.atMs, value: rounded(weighing.weightKg, 1) }]);
}

function spansOf({ lived, movements }: DeviceDay, amountOf: (movement: Movement) => number): DemoRecord[] {
  return movements
    .filter((movement) => amountOf(movement) > 0)
    .map((movement) => span(lived.zone, movement.startMs, movement.endMs, amountOf(movement)));
}

/** Converts readings to samples at instants. */
export function pointsOf(zone: ZoneDays, readings: readonly Reading[]): DemoRecord[] {
  return readings.map(({ atMs, value }) => ({
    timestamp: formatInstant(atMs),
    timezone_offset: zone.offsetS(atMs),
    value,
  }));
}

function span(zone: ZoneDays, startMs: number, endMs: number, value: number): DemoRecord {
  return {
    start: formatInstant(startMs),
    end: formatInstant(endMs),
    timezone_offset: zone.offsetS(startMs),
    value,
  };
}
