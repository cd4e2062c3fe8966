import { MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { type DeviceDay, type Reading, roundTo } from "./device-day.ts";
import { type DemoDevice, demoDeviceId } from "./devices.ts";
import type { Movement } from "./movement.ts";
import type { DemoRecord } from "./sample-records.ts";
import { restingBpm } from "./vitals.ts";
import { simulateWeighing } from "./weighing.ts";
import { formatDay } from "./zone-calendar.ts";

/** Minimum steps per minute of movement that counts for the mean walking heart rate. */
const MIN_WALKING_STEPS_PER_MINUTE = 40;
/** Steps per minute of light activity. */
const LIGHT_STEPS_PER_MINUTE = 90;
/** Minimum effort of a vigorous sport. */
const MIN_VIGOROUS_EFFORT = 0.6;

/**
 * Sums up the activity of a day from its samples. The activity of the current day is partial; a later one replaces it.
 * Carried devices measure neither heart rate nor energy.
 */
export function activityRecords(recorded: DeviceDay): DemoRecord[] {
  const { simulatedDay, movements, basal, device, recordedUntilMs } = recorded;
  if (simulatedDay.startMs >= recordedUntilMs) return [];
  const activeKcal = sumBy(movements, ({ activeKcal }) => activeKcal);
  const distance = roundTo(
    sumBy(movements, ({ distanceM }) => distanceM),
    1,
  );
  const common = {
    calendar_date: formatDay(simulatedDay.day),
    time_zone: simulatedDay.zone.timeZone,
    timezone_offset: simulatedDay.zone.offsetS(simulatedDay.startMs),
    steps: sumBy(movements, ({ steps }) => steps),
    distance,
    daily_movement: distance,
    ...activeMinutes(recorded),
  };
  if (!device.isWorn) return [common];
  const energy = {
    calories_active: roundTo(activeKcal, 1),
    calories_total: roundTo(activeKcal + sumBy(basal, ({ value }) => value), 1),
  };
  return [{ ...common, ...energy, heart_rate: summarizeHeartRate(recorded) }];
}

/** The body record of a day with a scale measurement. */
export function bodyRecords({ simulatedDay: lived, recordedUntilMs }: DeviceDay): DemoRecord[] {
  const weighing = simulateWeighing(lived);
  if (!weighing || weighing.atMs > recordedUntilMs) return [];
  const weight = roundTo(weighing.weightKg, 1);
  const bmi = roundTo(weight / (lived.person.heightCm / 100) ** 2, 1);
  const fat = roundTo(weighing.bodyFatPercent, 1);
  return [{ calendar_date: formatDay(lived.day), weight, fat, body_mass_index: bmi }];
}

/** The profile record of a person. */
export function profileRecord({ heightCm, birthDate, sex }: DemoPerson): DemoRecord {
  return { height: heightCm, birth_date: birthDate, gender: sex, sex };
}

/** The device record of a device. */
export function deviceRecord(device: DemoDevice, seed: number): DemoRecord {
  const { manufacturer, model } = device;
  return { device_id: demoDeviceId(device, seed), device_manufacturer: manufacturer, device_model: model };
}

/** The mean of readings. */
export function meanReading(readings: readonly Reading[]): number {
  return sumBy(readings, ({ value }) => value) / readings.length;
}

/** Sums an amount over items. */
export function sumBy<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function activeMinutes({ movements, simulatedDay: lived }: DeviceDay) {
  const minutes = ({ startMs, endMs }: Movement): number => (endMs - startMs) / MINUTE_MS;
  const inSport = sumBy(
    movements.filter(({ isWorkout }) => isWorkout),
    minutes,
  );
  const walked = movements.filter(({ isWorkout }) => !isWorkout);
  const low = Math.round(
    sumBy(walked, (movement) => Math.min(minutes(movement), movement.steps / LIGHT_STEPS_PER_MINUTE)),
  );
  const isVigorous = (lived.workout?.sport.effort ?? 0) >= MIN_VIGOROUS_EFFORT;
  return { low, medium: isVigorous ? 0 : inSport, high: isVigorous ? inSport : 0 };
}

function summarizeHeartRate({ heartRate, movements, simulatedDay: lived }: DeviceDay) {
  if (heartRate.length === 0) return null;
  const bpm = heartRate.map(({ value }) => value);
  const walks = movements.filter(
    ({ isWorkout, steps, startMs, endMs }) =>
      !isWorkout && steps * MINUTE_MS >= MIN_WALKING_STEPS_PER_MINUTE * (endMs - startMs),
  );
  const walking = heartRate.filter(({ atMs }) => walks.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs));
  return {
    avg_bpm: roundTo(meanReading(heartRate), 1),
    min_bpm: Math.min(...bpm),
    max_bpm: Math.max(...bpm),
    resting_bpm: Math.round(restingBpm(lived.person, lived.day)),
    avg_walking_bpm: walking.length === 0 ? null : roundTo(meanReading(walking), 1),
  };
}
