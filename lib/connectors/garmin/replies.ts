import * as z from "zod";

/** What Garmin pushes, as far as it is read: names of fields are those that public implementations use. */

const number = z.number().nullish();
const head = { userId: z.string(), summaryId: z.string().nullish() };
const span = { startTimeInSeconds: z.number(), startTimeOffsetInSeconds: number, durationInSeconds: number };
const measured = { measurementTimeInSeconds: z.number(), measurementTimeOffsetInSeconds: number };
/** Values by seconds after the begin. */
const byOffset = z.record(z.string(), z.number()).nullish();

export const userId = z.object({ userId: z.string() });

export const daily = z.object({
  ...head,
  ...span,
  calendarDate: z.string(),
  steps: number,
  distanceInMeters: number,
  activeKilocalories: number,
  bmrKilocalories: number,
  floorsClimbed: number,
  moderateIntensityDurationInSeconds: number,
  vigorousIntensityDurationInSeconds: number,
  minHeartRateInBeatsPerMinute: number,
  maxHeartRateInBeatsPerMinute: number,
  averageHeartRateInBeatsPerMinute: number,
  restingHeartRateInBeatsPerMinute: number,
  timeOffsetHeartRateSamples: byOffset,
});

export const epoch = z.object({
  ...head,
  ...span,
  steps: number,
  distanceInMeters: number,
  activeKilocalories: number,
});

const level = z.array(z.object({ startTimeInSeconds: z.number(), endTimeInSeconds: z.number() }));
export const sleep = z.object({
  ...head,
  ...span,
  durationInSeconds: z.number(),
  calendarDate: z.string(),
  deepSleepDurationInSeconds: number,
  lightSleepDurationInSeconds: number,
  remSleepInSeconds: number,
  awakeDurationInSeconds: number,
  sleepLevelsMap: z.record(z.string(), level).nullish(),
  validation: z.string().nullish(),
  overallSleepScore: z.object({ value: number }).nullish(),
});
export type Sleep = z.output<typeof sleep>;

export const bodyComp = z.object({ ...head, ...measured, weightInGrams: number, bodyFatInPercent: number });

export const stress = z.object({ ...head, ...span, timeOffsetStressLevelValues: byOffset });
export const respiration = z.object({ ...head, ...span, timeOffsetEpochToBreaths: byOffset });
export const pulseOx = z.object({ ...head, ...span, timeOffsetSpo2Values: byOffset });
export const hrv = z.object({ ...head, ...span, hrvValues: byOffset });

export const bloodPressure = z.object({ ...head, ...measured, systolic: z.number(), diastolic: z.number() });

export const userMetrics = z.object({ ...head, calendarDate: z.string(), vo2Max: number });

export const activity = z.object({
  ...head,
  ...span,
  durationInSeconds: z.number(),
  activityName: z.string().nullish(),
  activityType: z.string().nullish(),
  activeKilocalories: number,
  averageHeartRateInBeatsPerMinute: number,
  maxHeartRateInBeatsPerMinute: number,
  distanceInMeters: number,
  averageSpeedInMetersPerSecond: number,
  maxSpeedInMetersPerSecond: number,
  totalElevationGainInMeters: number,
  steps: number,
});
export type Activity = z.output<typeof activity>;

export const activityDetails = z.object({
  ...head,
  summary: activity.omit({ userId: true }).optional(),
  samples: z
    .array(
      z.object({
        startTimeInSeconds: z.number(),
        heartRate: number,
        latitudeInDegree: number,
        longitudeInDegree: number,
        elevationInMeters: number,
        speedMetersPerSecond: number,
        totalDistanceInMeters: number,
        bikeCadenceInRPM: number,
        stepsPerMinute: number,
        powerInWatts: number,
        airTemperatureCelcius: number,
      }),
    )
    .default([]),
});
export type ActivityDetails = z.output<typeof activityDetails>;

/** A body by types of summaries, each with a list. */
export const pushed = z.record(z.string(), z.array(z.looseObject({ userId: z.string() })));
