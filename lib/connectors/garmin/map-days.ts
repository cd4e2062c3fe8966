import type * as z from "zod";
import { localDate } from "../../domain/summaries/session.ts";
import { formatInstant } from "../../domain/timeseries/instant.ts";
import type * as replies from "./replies.ts";

const minutes = (seconds: number | null | undefined) => (seconds == null ? null : seconds / 60);
const whole = (value: number | null | undefined) => (value == null ? null : Math.round(value));

/** What is measured at an instant, with the offset (seconds) that held where the user was. */
interface Begin {
  readonly startTimeInSeconds: number;
  readonly startTimeOffsetInSeconds?: number | null | undefined;
}

/** Samples from values by seconds after the begin. @param least below which there was no reading. */
export function samplesOf(begin: Begin, values: Readonly<Record<string, number>> | null | undefined, least = 1) {
  return Object.entries(values ?? {}).flatMap(([offset, value]) => {
    const seconds = begin.startTimeInSeconds + Number(offset);
    if (value < least || !Number.isFinite(seconds)) return [];
    const timestamp = formatInstant(seconds * 1000);
    return [{ timestamp, timezone_offset: begin.startTimeOffsetInSeconds ?? null, value }];
  });
}

/** The activity of a day and its heart rate: times are seconds there and minutes here. */
export function toDay(day: z.output<typeof replies.daily>) {
  const [active, basal] = [day.activeKilocalories ?? null, day.bmrKilocalories ?? null];
  const activity = {
    calendar_date: day.calendarDate,
    timezone_offset: day.startTimeOffsetInSeconds ?? null,
    steps: whole(day.steps),
    distance: day.distanceInMeters ?? null,
    calories_active: active,
    calories_total: active === null || basal === null ? null : active + basal,
    medium: minutes(day.moderateIntensityDurationInSeconds),
    high: minutes(day.vigorousIntensityDurationInSeconds),
    floors_climbed: whole(day.floorsClimbed),
    heart_rate: {
      avg_bpm: day.averageHeartRateInBeatsPerMinute ?? null,
      min_bpm: day.minHeartRateInBeatsPerMinute ?? null,
      max_bpm: day.maxHeartRateInBeatsPerMinute ?? null,
      resting_bpm: day.restingHeartRateInBeatsPerMinute ?? null,
    },
  };
  return { activity: [activity], heartrate: samplesOf(day, day.timeOffsetHeartRateSamples) };
}

/** Movement of a quarter of an hour. */
export function toMovement(epoch: z.output<typeof replies.epoch>) {
  const { startTimeInSeconds, startTimeOffsetInSeconds, durationInSeconds } = epoch;
  const at = {
    start: formatInstant(startTimeInSeconds * 1000),
    end: formatInstant((startTimeInSeconds + (durationInSeconds ?? 0)) * 1000),
    timezone_offset: startTimeOffsetInSeconds ?? null,
  };
  const some = (value: number | null | undefined) => (value == null ? [] : [{ ...at, value }]);
  return {
    steps: some(epoch.steps),
    distance: some(epoch.distanceInMeters),
    calories_active: some(epoch.activeKilocalories),
  };
}

/** A weighing: grams there and kg here. */
export function toBody(measured: z.output<typeof replies.bodyComp>) {
  const { measurementTimeInSeconds, measurementTimeOffsetInSeconds, weightInGrams, bodyFatInPercent } = measured;
  const ms = measurementTimeInSeconds * 1000;
  const offset = measurementTimeOffsetInSeconds ?? null;
  const weight = weightInGrams == null ? null : weightInGrams / 1000;
  const fat = bodyFatInPercent ?? null;
  const at = { timestamp: formatInstant(ms), timezone_offset: offset };
  return {
    body: [{ calendar_date: localDate(ms, offset), weight, fat }],
    body_weight: weight === null ? [] : [{ ...at, value: weight }],
    body_fat: fat === null ? [] : [{ ...at, value: fat }],
  };
}

/** Blood pressure at an instant. */
export function toBloodPressure(measured: z.output<typeof replies.bloodPressure>) {
  const { measurementTimeInSeconds, measurementTimeOffsetInSeconds, systolic, diastolic } = measured;
  const timestamp = formatInstant(measurementTimeInSeconds * 1000);
  const timezone_offset = measurementTimeOffsetInSeconds ?? null;
  return { blood_pressure: [{ timestamp, timezone_offset, systolic, diastolic }] };
}

/** Fitness, of which only the day is known. */
export function toVo2Max({ calendarDate, vo2Max: value }: z.output<typeof replies.userMetrics>) {
  const at = { timestamp: `${calendarDate}T00:00:00Z`, timezone_offset: null };
  return { vo2_max: value == null ? [] : [{ ...at, value }] };
}
