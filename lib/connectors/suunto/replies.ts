import * as z from "zod";

/** Response schemas of Suunto's Cloud API, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

/** A workout: Unix milliseconds, seconds, metres, m/s and kcal; zeros of what has not been measured. */
export const workout = z.object({
  workoutKey: z.string(),
  activityId: number,
  startTime: z.number(),
  stopTime: z.number(),
  timeOffsetInMinutes: number,
  totalTime: number,
  totalDistance: number,
  totalAscent: number,
  avgSpeed: number,
  maxSpeed: number,
  maxAltitude: number,
  minAltitude: number,
  energyConsumption: number,
  stepCount: number,
  hrdata: z.object({ workoutAvgHR: number, workoutMaxHR: number }).nullish(),
  gear: z.object({ displayName: text, name: text }).nullish(),
});
export type Workout = z.output<typeof workout>;

export const workouts = z.object({ payload: z.array(z.unknown()) });
export const oneWorkout = z.object({ payload: workout });

/** A night or nap. Durations are seconds, times local times with an offset. */
export const sleepSample = z.object({
  timestamp: z.string(),
  entryData: z.object({
    SleepId: z.union([z.number(), z.string()]).nullish(),
    BedtimeStart: z.string(),
    BedtimeEnd: z.string(),
    Duration: number,
    DeepSleepDuration: number,
    LightSleepDuration: number,
    REMSleepDuration: number,
    SleepOnsetLatencyDuration: number,
    WakeAfterSleepOnsetDuration: number,
    WakeBeforeOffBedDuration: number,
    SleepQualityScore: number,
    HRAvg: number,
    HRMin: number,
    AvgHRV: number,
    IsNap: z.boolean().nullish(),
  }),
});
export type SleepSample = z.output<typeof sleepSample>;

/** Measurements of a moment and steps since the sample before; the oxygen saturation is a fraction. */
export const activitySample = z.object({
  timestamp: z.string(),
  entryData: z.object({ HR: number, HRV: number, SpO2: number, StepCount: number }),
});
export type ActivitySample = z.output<typeof activitySample>;

export const tokenOwner = z.object({ user: z.string() });

/** A push with a workout or with samples. */
export const pushBody = z.object({
  type: z.string(),
  username: z.string(),
  workout: z.object({ workoutKey: z.string() }).optional(),
  samples: z.array(z.unknown()).optional(),
});
export const pushedSample = z.object({ timestamp: z.string() });
