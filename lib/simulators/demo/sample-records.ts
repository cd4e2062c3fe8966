import { formatInstant } from "../../domain/shared/instant.ts";
import { type DeviceDay, type Reading, roundTo } from "./device-day.ts";
import type { DemoResource } from "./devices.ts";
import type { Movement } from "./movement.ts";
import type { SleepStage } from "./night.ts";
import { simulateWeighing } from "./weighing.ts";
import type { ZoneCalendar } from "./zone-calendar.ts";

/** An unvalidated record. */
export type DemoRecord = Readonly<Record<string, unknown>>;

/** Builds the records of one resource from the recording of a day. */
export type RecordBuilder = (recorded: DeviceDay) => DemoRecord[];

/** Hypnogram codes of the public API. */
const hypnogramCodes: Readonly<Record<SleepStage, number>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** The builders of samples by resource. */
export const sampleBuilders = {
  heartrate: ({ simulatedDay, heartRate }) => toPointSamples(simulatedDay.zone, heartRate),
  steps: (recorded) => toIntervalSamples(recorded, ({ steps }) => steps),
  distance: (recorded) => toIntervalSamples(recorded, ({ distanceM }) => distanceM),
  calories_active: (recorded) => toIntervalSamples(recorded, ({ activeKcal }) => activeKcal),
  calories_basal: ({ simulatedDay, basal }) => toPointSamples(simulatedDay.zone, basal),
  hrv: ({ simulatedDay, asleep }) => toPointSamples(simulatedDay.zone, asleep.hrv),
  respiratory_rate: ({ simulatedDay, asleep }) => toPointSamples(simulatedDay.zone, asleep.breaths),
  blood_oxygen: ({ simulatedDay, asleep }) => toPointSamples(simulatedDay.zone, asleep.oxygen),
  hypnogram,
  body_weight: bodyWeight,
} satisfies Partial<Record<DemoResource, RecordBuilder>>;

/** Hypnogram of the night that ended on the day. Devices determine stages only after the night. */
function hypnogram({ simulatedDay: { night, zone }, recordedUntilMs }: DeviceDay): DemoRecord[] {
  if (night.endMs > recordedUntilMs) return [];
  return night.segments.map(({ stage, startMs, endMs }) =>
    toIntervalSample(zone, startMs, endMs, hypnogramCodes[stage]),
  );
}

function bodyWeight({ simulatedDay: lived, recordedUntilMs: knownMs }: DeviceDay): DemoRecord[] {
  const weighing = simulateWeighing(lived);
  if (!weighing || weighing.atMs > knownMs) return [];
  return toPointSamples(lived.zone, [{ atMs: weighing.atMs, value: roundTo(weighing.weightKg, 1) }]);
}

function toIntervalSamples(
  { simulatedDay: lived, movements }: DeviceDay,
  amountOf: (movement: Movement) => number,
): DemoRecord[] {
  return movements
    .filter((movement) => amountOf(movement) > 0)
    .map((movement) => toIntervalSample(lived.zone, movement.startMs, movement.endMs, amountOf(movement)));
}

/** Converts readings to samples at instants. */
export function toPointSamples(zone: ZoneCalendar, readings: readonly Reading[]): DemoRecord[] {
  return readings.map(({ atMs, value }) => ({
    timestamp: formatInstant(atMs),
    timezone_offset: zone.offsetS(atMs),
    value,
  }));
}

function toIntervalSample(zone: ZoneCalendar, startMs: number, endMs: number, value: number): DemoRecord {
  return {
    start: formatInstant(startMs),
    end: formatInstant(endMs),
    timezone_offset: zone.offsetS(startMs),
    value,
  };
}
