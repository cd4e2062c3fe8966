import type * as z from "zod";
import { toBodyDays } from "../../domain/summaries/body-days.ts";
import { localDate } from "../../domain/summaries/session.ts";
import { formatUtc, midnightOf } from "../format-utc.ts";
import { roundOrNull, secondsToMinutes } from "../nullable-numbers.ts";
import type * as replies from "./replies.ts";

/** Start of a measurement, Unix seconds, and the local UTC offset in seconds. */
interface MeasurementStart {
  readonly startTimeInSeconds: number;
  readonly startTimeOffsetInSeconds?: number | null | undefined;
}

/** Converts values by seconds after the start to samples. @param least smaller values mean no reading. */
export function toSamples(
  begin: MeasurementStart,
  values: Readonly<Record<string, number>> | null | undefined,
  least = 1,
) {
  return Object.entries(values ?? {}).flatMap(([offset, value]) => {
    const seconds = begin.startTimeInSeconds + Number(offset);
    if (value < least || !Number.isFinite(seconds)) return [];
    const timestamp = formatUtc(seconds * 1000);
    return [{ timestamp, timezone_offset: begin.startTimeOffsetInSeconds ?? null, value }];
  });
}

/** Maps a daily summary to an activity and heart rate samples. Converts durations from seconds to minutes. */
export function toDay(day: z.output<typeof replies.daily>) {
  const [active, basal] = [day.activeKilocalories ?? null, day.bmrKilocalories ?? null];
  const offset = day.startTimeOffsetInSeconds ?? null;
  const heartrate = toSamples(day, day.timeOffsetHeartRateSamples);
  const activity = {
    calendar_date: day.calendarDate ?? localDate(day.startTimeInSeconds * 1000, offset),
    timezone_offset: offset,
    steps: roundOrNull(day.steps),
    distance: day.distanceInMeters ?? null,
    calories_active: active,
    calories_total: active === null || basal === null ? null : active + basal,
    medium: secondsToMinutes(day.moderateIntensityDurationInSeconds),
    high: secondsToMinutes(day.vigorousIntensityDurationInSeconds),
    floors_climbed: roundOrNull(day.floorsClimbed),
    wheelchair_push: roundOrNull(day.pushes),
    heart_rate: {
      avg_bpm: roundedMean(heartrate.map(({ value }) => value)),
      min_bpm: day.minHeartRateInBeatsPerMinute ?? null,
      max_bpm: day.maxHeartRateInBeatsPerMinute ?? null,
      resting_bpm: day.restingHeartRateInBeatsPerMinute ?? null,
    },
  };
  return { activity: [activity], heartrate };
}

const roundedMean = (values: readonly number[]) =>
  values.length === 0 ? null : Math.round((10 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 10;

/**
 * Maps epochs to samples of quarter hours: the sum over all activity types of a quarter hour. Of repeated epochs of one
 * type the last counts. Epochs sent while the quarter hour was incomplete do not count.
 */
export function toMovement(epochs: readonly replies.Epoch[]) {
  const quarters = Map.groupBy(epochs, ({ startTimeInSeconds }) => startTimeInSeconds);
  const whole = [...quarters.values()].map((all) => {
    const longest = Math.max(...all.map((one) => one.durationInSeconds ?? 0));
    const latest = all.filter((one) => (one.durationInSeconds ?? 0) === longest);
    return toQuarterMovement([...new Map(latest.map((one) => [one.activityType, one])).values()]);
  });
  return {
    steps: whole.flatMap(({ steps }) => steps),
    distance: whole.flatMap(({ distance }) => distance),
    calories_active: whole.flatMap(({ calories_active }) => calories_active),
    wheelchair_push: whole.flatMap(({ wheelchair_push }) => wheelchair_push),
  };
}

function toQuarterMovement(epochs: readonly replies.Epoch[]) {
  const { startTimeInSeconds, startTimeOffsetInSeconds, durationInSeconds } = epochs[0] as replies.Epoch;
  const at = {
    start: formatUtc(startTimeInSeconds * 1000),
    end: formatUtc((startTimeInSeconds + (durationInSeconds ?? 0)) * 1000),
    timezone_offset: startTimeOffsetInSeconds ?? null,
  };
  const sum = (read: (epoch: replies.Epoch) => number | null | undefined) => {
    const values = epochs.map(read).filter((value) => value != null);
    return values.length === 0 ? [] : [{ ...at, value: values.reduce((all, value) => all + value, 0) }];
  };
  return {
    steps: sum((epoch) => epoch.steps),
    distance: sum((epoch) => epoch.distanceInMeters),
    calories_active: sum((epoch) => epoch.activeKilocalories),
    wheelchair_push: sum((epoch) => epoch.pushes),
  };
}

/** Maps the body compositions of a push. Converts grams to kg. */
export function toBodies(compositions: readonly z.output<typeof replies.bodyComp>[]) {
  const all = compositions.map(toBody);
  return {
    body: toBodyDays(all),
    body_weight: all.flatMap(({ at, values }) => (values.weight === null ? [] : [{ ...at, value: values.weight }])),
    body_fat: all.flatMap(({ at, values }) => (values.fat === null ? [] : [{ ...at, value: values.fat }])),
  };
}

function toBody(measured: z.output<typeof replies.bodyComp>) {
  const { measurementTimeInSeconds, measurementTimeOffsetInSeconds, weightInGrams } = measured;
  const atMs = measurementTimeInSeconds * 1000;
  const timezone_offset = measurementTimeOffsetInSeconds ?? null;
  const percent = (grams: number | null | undefined) =>
    grams == null || !weightInGrams ? null : (100 * grams) / weightInGrams;
  const values = {
    weight: weightInGrams == null ? null : weightInGrams / 1000,
    fat: measured.bodyFatInPercent ?? null,
    water_percentage: measured.bodyWaterInPercent ?? null,
    body_mass_index: measured.bodyMassIndex ?? null,
    muscle_mass_percentage: percent(measured.muscleMassInGrams),
    bone_mass_percentage: percent(measured.boneMassInGrams),
  };
  const at = { timestamp: formatUtc(atMs), timezone_offset };
  return { calendar_date: localDate(atMs, timezone_offset), atMs, at, values };
}

/** Maps the nightly deviation of skin temperature. Garmin reports no location; watches measure at the wrist. */
export function toSkinTemperature({ avgDeviationCelsius: value, ...span }: z.output<typeof replies.skinTemperature>) {
  const [start, end] = [0, span.durationInSeconds ?? 0].map((seconds) =>
    formatUtc((span.startTimeInSeconds + seconds) * 1000),
  );
  const timezone_offset = span.startTimeOffsetInSeconds ?? null;
  const sample = { start, end, timezone_offset, value, sensor_location: "wrist" };
  return { body_temperature_delta: value == null ? [] : [sample] };
}

/** Maps a blood pressure measurement. */
export function toBloodPressure(measured: z.output<typeof replies.bloodPressure>) {
  const { measurementTimeInSeconds, measurementTimeOffsetInSeconds, systolic, diastolic } = measured;
  const timestamp = formatUtc(measurementTimeInSeconds * 1000);
  const timezone_offset = measurementTimeOffsetInSeconds ?? null;
  return { blood_pressure: [{ timestamp, timezone_offset, systolic, diastolic }] };
}

/** Maps VO2 max. Only the date is known. */
export function toVo2Max({ calendarDate, vo2Max, vo2MaxCycling }: z.output<typeof replies.userMetrics>) {
  const value = vo2Max ?? vo2MaxCycling;
  return { vo2_max: value == null ? [] : [{ ...midnightOf(calendarDate), value }] };
}
