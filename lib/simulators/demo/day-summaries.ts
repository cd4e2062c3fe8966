import { type DeviceDay, type Reading, rounded } from "./device-day.ts";
import { type DemoDevice, deviceIdOf } from "./devices.ts";
import type { Movement } from "./movement.ts";
import type { Person } from "./person.ts";
import type { DemoRecord } from "./sample-records.ts";
import { restingBpm } from "./vitals.ts";
import { weighingOn } from "./weighing.ts";
import { dateOf, MINUTE_MS } from "./zone-days.ts";

/** Minimum steps per minute of movement that counts for the mean walking heart rate. */
const WALKING = 40;
/** Steps per minute of light activity. */
const LIGHT_STEPS = 90;
/** Minimum effort of a vigorous sport. */
const VIGOROUS = 0.6;

/**
 * Sums up the activity of a day from its samples. The activity of the current day is partial; a later one replaces it.
 * Carried devices measure neither heart rate nor energy.
 */
export function activityRecords(recorded: DeviceDay): DemoRecord[] {
  const { lived, movements, basal, device, knownMs } = recorded;
  if (lived.startMs >= knownMs) return [];
  const activeKcal = sumOf(movements, ({ activeKcal }) => activeKcal);
  const distance = rounded(
    sumOf(movements, ({ distanceM }) => distanceM),
    1,
  );
  const common = {
    calendar_date: dateOf(lived.day),
    time_zone: lived.zone.timeZone,
    timezone_offset: lived.zone.offsetS(lived.startMs),
    steps: sumOf(movements, ({ steps }) => steps),
    distance,
    daily_movement: distance,
    ...minutesOf(recorded),
  };
  if (!device.isWorn) return [common];
  const energy = {
    calories_active: rounded(activeKcal, 1),
    calories_total: rounded(activeKcal + sumOf(basal, ({ value }) => value), 1),
  };
  return [{ ...common, ...energy, heart_rate: heartRateOf(recorded) }];
}

/** The body record of a day with a scale measurement. */
export function bodyRecords({ lived, knownMs }: DeviceDay): DemoRecord[] {
  const weighing = weighingOn(lived);
  if (!weighing || weighing.atMs > knownMs) return [];
  const weight = rounded(weighing.weightKg, 1);
  const bmi = rounded(weight / (lived.person.heightCm / 100) ** 2, 1);
  const fat = rounded(weighing.bodyFatPercent, 1);
  return [{ calendar_date: dateOf(lived.day), weight, fat, body_mass_index: bmi }];
}

/** The profile record of a person. */
export function profileRecord({ heightCm, birthDate, sex }: Person): DemoRecord {
  return { height: heightCm, birth_date: birthDate, gender: sex, sex };
}

/** The device record of a device. */
export function deviceRecord(device: DemoDevice, seed: number): DemoRecord {
  const { manufacturer, model } = device;
  return { device_id: deviceIdOf(device, seed), device_manufacturer: manufacturer, device_model: model };
}

/** The mean of readings. */
export function meanOf(readings: readonly Reading[]): number {
  return sumOf(readings, ({ value }) => value) / readings.length;
}

/** Sums an amount over items. */
export function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function minutesOf({ movements, lived }: DeviceDay) {
  const minutes = ({ startMs, endMs }: Movement): number => (endMs - startMs) / MINUTE_MS;
  const inSport = sumOf(
    movements.filter(({ isWorkout }) => isWorkout),
    minutes,
  );
  const walked = movements.filter(({ isWorkout }) => !isWorkout);
  const low = Math.round(sumOf(walked, (movement) => Math.min(minutes(movement), movement.steps / LIGHT_STEPS)));
  const isVigorous = (lived.workout?.sport.effort ?? 0) >= VIGOROUS;
  return { low, medium: isVigorous ? 0 : inSport, high: isVigorous ? inSport : 0 };
}

function heartRateOf({ heartRate, movements, lived }: DeviceDay) {
  if (heartRate.length === 0) return null;
  const bpm = heartRate.map(({ value }) => value);
  const walks = movements.filter(
    ({ isWorkout, steps, startMs, endMs }) => !isWorkout && steps * MINUTE_MS >= WALKING * (endMs - startMs),
  );
  const walking = heartRate.filter(({ atMs }) => walks.some(({ startMs, endMs }) => startMs <= atMs && atMs < endMs));
  return {
    avg_bpm: rounded(meanOf(heartRate), 1),
    min_bpm: Math.min(...bpm),
    max_bpm: Math.max(...bpm),
    resting_bpm: Math.round(restingBpm(lived.person, lived.day)),
    avg_walking_bpm: walking.length === 0 ? null : rounded(meanOf(walking), 1),
  };
}
