import * as z from "zod";
import type * as replies from "../../garmin/replies.ts";

/** The records of the export's JSON files, limited to the fields that the import reads, as public readers name them. */

const number = z.number().nullish().catch(null);
const text = z.string().nullish().catch(null);

const night = z.object({
  sleepStartTimestampGMT: z.string(),
  calendarDate: text,
  deepSleepSeconds: number,
  lightSleepSeconds: number,
  remSleepSeconds: number,
  awakeSleepSeconds: number,
  unmeasurableSeconds: number,
  sleepWindowConfirmationType: text,
  sleepScores: z.object({ overallScore: number }).nullish().catch(null),
});

const day = z.object({
  calendarDate: z.string(),
  wellnessStartTimeGmt: text,
  wellnessStartTimeLocal: text,
  totalSteps: number,
  totalPushes: number,
  totalDistanceMeters: number,
  activeKilocalories: number,
  bmrKilocalories: number,
  moderateIntensityMinutes: number,
  vigorousIntensityMinutes: number,
  floorsAscendedInMeters: number,
  minHeartRate: number,
  maxHeartRate: number,
  restingHeartRate: number,
});

const activity = z.object({
  activityId: z.number(),
  name: text,
  activityType: z.union([z.string(), z.object({ typeKey: z.string() }).transform(({ typeKey }) => typeKey)]).nullish(),
  beginTimestamp: z.number(),
  startTimeLocal: number,
  /** Milliseconds. */
  duration: z.number(),
  /** Centimetres. */
  distance: number,
  /** Tens of metres per second. */
  avgSpeed: number,
  maxSpeed: number,
  avgHr: number,
  maxHr: number,
  /** Centimetres. */
  elevationGain: number,
  steps: number,
});

/** A floor that Garmin counts has 10 feet. */
const FLOOR_M = 3.048;

/** Parses a time such as `2024-05-01T21:43:00.0` as UTC, Unix seconds. */
const toSeconds = (time: string): number => Date.parse(`${time.replace(/\.0$/, "")}Z`) / 1000;

/** Converts a night to a sleep summary of Garmin's API. The export states no local time, but the local date. */
export function toSleepSummary(record: unknown): Partial<replies.Sleep> | undefined {
  const { data } = night.safeParse(record);
  const { deepSleepSeconds: deep, lightSleepSeconds: light, remSleepSeconds: rem } = data ?? {};
  const asleep = (deep ?? 0) + (light ?? 0) + (rem ?? 0);
  if (!data || asleep === 0) return undefined;
  return {
    userId: "export",
    startTimeInSeconds: toSeconds(data.sleepStartTimestampGMT),
    durationInSeconds: asleep,
    calendarDate: data.calendarDate,
    deepSleepDurationInSeconds: deep,
    lightSleepDurationInSeconds: light,
    remSleepInSeconds: rem,
    awakeDurationInSeconds: data.awakeSleepSeconds,
    unmeasurableSleepInSeconds: data.unmeasurableSeconds,
    validation: data.sleepWindowConfirmationType,
    overallSleepScore: data.sleepScores?.overallScore ? { value: data.sleepScores.overallScore } : null,
  };
}

/** Converts a day to a daily summary of Garmin's API. */
export function toDaily(record: unknown) {
  const { data } = day.safeParse(record);
  if (!data) return undefined;
  const { wellnessStartTimeGmt: gmt, wellnessStartTimeLocal: local } = data;
  const startTimeInSeconds = toSeconds(gmt ?? `${data.calendarDate}T00:00:00`);
  const offset = gmt && local ? toSeconds(local) - startTimeInSeconds : null;
  const seconds = (minutes: number | null | undefined) => (minutes == null ? null : minutes * 60);
  const floors = data.floorsAscendedInMeters;
  return {
    userId: "export",
    calendarDate: data.calendarDate,
    startTimeInSeconds,
    startTimeOffsetInSeconds: offset,
    steps: data.totalSteps,
    pushes: data.totalPushes,
    distanceInMeters: data.totalDistanceMeters,
    activeKilocalories: data.activeKilocalories,
    bmrKilocalories: data.bmrKilocalories,
    moderateIntensityDurationInSeconds: seconds(data.moderateIntensityMinutes),
    vigorousIntensityDurationInSeconds: seconds(data.vigorousIntensityMinutes),
    floorsClimbed: floors == null ? null : floors / FLOOR_M,
    minHeartRateInBeatsPerMinute: data.minHeartRate,
    maxHeartRateInBeatsPerMinute: data.maxHeartRate,
    restingHeartRateInBeatsPerMinute: data.restingHeartRate,
  };
}

/**
 * Converts an activity to a summary of Garmin's API. Its energy is left out: public readers disagree about the unit.
 */
export function toActivitySummary(record: unknown) {
  const { data } = activity.safeParse(record);
  if (!data) return undefined;
  const by = (value: number | null | undefined, factor: number) =>
    value == null ? null : Math.round(value * factor * 1e6) / 1e6;
  return {
    userId: "export",
    summaryId: String(data.activityId),
    activityName: data.name ?? null,
    activityType: data.activityType ?? null,
    startTimeInSeconds: Math.floor(data.beginTimestamp / 1000),
    startTimeOffsetInSeconds:
      data.startTimeLocal == null ? null : Math.round((data.startTimeLocal - data.beginTimestamp) / 1000),
    durationInSeconds: Math.round(data.duration / 1000),
    distanceInMeters: by(data.distance, 0.01),
    averageSpeedInMetersPerSecond: by(data.avgSpeed, 10),
    maxSpeedInMetersPerSecond: by(data.maxSpeed, 10),
    averageHeartRateInBeatsPerMinute: data.avgHr ?? null,
    maxHeartRateInBeatsPerMinute: data.maxHr ?? null,
    totalElevationGainInMeters: by(data.elevationGain, 0.01),
    steps: data.steps ?? null,
  };
}
