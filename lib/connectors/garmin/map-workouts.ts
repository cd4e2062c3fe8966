import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { Activity, ActivityDetails } from "./replies.ts";

type Sample = ActivityDetails["samples"][number];

/** The id of an activity. Details carry the same id with the suffix `-detail`. */
const activityId = (summaryId: string | null | undefined, start: number) =>
  summaryId?.replace(/-detail$/, "") ?? `activity ${start}`;

/**
 * Maps an activity: kcal, metres and m/s in both models.
 * @param detailsId the id of its details, for a summary in details, which has none of its own.
 */
export function toWorkout(done: Omit<Activity, "userId">, detailsId?: string | null) {
  const startMs = done.startTimeInSeconds * 1000;
  return {
    provider_id: activityId(done.summaryId ?? detailsId, done.startTimeInSeconds),
    title: done.activityName ?? null,
    time_start: formatUtc(startMs),
    time_end: formatUtc(startMs + done.durationInSeconds * 1000),
    timezone_offset: done.startTimeOffsetInSeconds ?? null,
    sport: parseSport(done.activityType ?? ""),
    calories: done.activeKilocalories ?? null,
    distance: done.distanceInMeters ?? null,
    average_hr: roundOrNull(done.averageHeartRateInBeatsPerMinute),
    max_hr: roundOrNull(done.maxHeartRateInBeatsPerMinute),
    average_speed: done.averageSpeedInMetersPerSecond ?? null,
    max_speed: done.maxSpeedInMetersPerSecond ?? null,
    total_elevation_gain: done.totalElevationGainInMeters ?? null,
    steps: roundOrNull(done.steps),
  };
}

const columns: Readonly<Record<string, (sample: Sample) => number | null | undefined>> = {
  heartrate: ({ heartRate }) => roundOrNull(heartRate),
  lat: ({ latitudeInDegree }) => latitudeInDegree,
  lng: ({ longitudeInDegree }) => longitudeInDegree,
  altitude: ({ elevationInMeters }) => elevationInMeters,
  velocity_smooth: ({ speedMetersPerSecond }) => speedMetersPerSecond,
  distance: ({ totalDistanceInMeters }) => totalDistanceInMeters,
  cadence: ({ bikeCadenceInRPM, stepsPerMinute }) => bikeCadenceInRPM ?? stepsPerMinute,
  power: ({ powerInWatts }) => powerInWatts,
  temperature: ({ airTemperatureCelcius }) => airTemperatureCelcius,
};

/** Maps the samples of an activity to a workout stream. */
export function toWorkoutStream({ summaryId, summary, samples }: ActivityDetails) {
  const sorted = samples.toSorted((a, b) => a.startTimeInSeconds - b.startTimeInSeconds);
  if (sorted.length === 0) return [];
  const lists = Object.entries(columns).map(([name, read]) => {
    const values = sorted.map((sample) => read(sample) ?? null);
    return [name, values.every((value) => value === null) ? [] : values] as const;
  });
  const time = sorted.map(({ startTimeInSeconds }) => startTimeInSeconds);
  const start = summary?.startTimeInSeconds ?? time[0] ?? 0;
  return [{ provider_id: activityId(summary?.summaryId ?? summaryId, start), time, ...Object.fromEntries(lists) }];
}
