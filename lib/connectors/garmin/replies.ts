import * as z from "zod";

/** Schemas of Garmin's pushes, limited to the fields that the connector reads. Field names as in public code. */

const number = z.number().nullish();
const head = { userId: z.string(), summaryId: z.string().nullish() };
/** If absent, the local date of the record's start applies. */
const dated = { calendarDate: z.string().nullish() };
const span = { startTimeInSeconds: z.number(), startTimeOffsetInSeconds: number, durationInSeconds: number };
const measured = { measurementTimeInSeconds: z.number(), measurementTimeOffsetInSeconds: number };
/** Values by seconds after the start. */
const byOffset = z.record(z.string(), z.number()).nullish();

export const userId = z.object({ userId: z.string() });

export const daily = z.object({
  ...head,
  ...span,
  ...dated,
  steps: number,
  pushes: number,
  distanceInMeters: number,
  activeKilocalories: number,
  bmrKilocalories: number,
  floorsClimbed: number,
  moderateIntensityDurationInSeconds: number,
  vigorousIntensityDurationInSeconds: number,
  minHeartRateInBeatsPerMinute: number,
  // `averageHeartRateInBeatsPerMinute` is not read: it is the mean of the last 7 days.
  maxHeartRateInBeatsPerMinute: number,
  restingHeartRateInBeatsPerMinute: number,
  timeOffsetHeartRateSamples: byOffset,
});

/** One epoch per quarter hour and activity type; each carries the duration of the whole quarter hour. */
export const epoch = z.object({
  ...head,
  ...span,
  activityType: z.string().nullish(),
  steps: number,
  pushes: number,
  distanceInMeters: number,
  activeKilocalories: number,
});
export type Epoch = z.output<typeof epoch>;

const level = z.array(z.object({ startTimeInSeconds: z.number(), endTimeInSeconds: z.number() }));
export const sleep = z.object({
  ...head,
  ...span,
  durationInSeconds: z.number(),
  ...dated,
  unmeasurableSleepInSeconds: number,
  unmeasurableSleepDurationInSeconds: number,
  deepSleepDurationInSeconds: number,
  lightSleepDurationInSeconds: number,
  remSleepInSeconds: number,
  awakeDurationInSeconds: number,
  sleepLevelsMap: z.record(z.string(), level).nullish(),
  validation: z.string().nullish(),
  overallSleepScore: z.object({ value: number }).nullish(),
  timeOffsetSleepRespiration: byOffset,
  timeOffsetSleepSpo2: byOffset,
  naps: z
    .array(
      z.object({ napStartTimeInSeconds: z.number(), napDurationInSeconds: z.number(), napOffsetInSeconds: number }),
    )
    .nullish(),
});
export type Sleep = z.output<typeof sleep>;

export const bodyComp = z.object({
  ...head,
  ...measured,
  weightInGrams: number,
  bodyFatInPercent: number,
  bodyWaterInPercent: number,
  bodyMassIndex: number,
  muscleMassInGrams: number,
  boneMassInGrams: number,
});

export const stress = z.object({ ...head, ...span, timeOffsetStressLevelValues: byOffset });
export const respiration = z.object({ ...head, ...span, timeOffsetEpochToBreaths: byOffset });
export const pulseOx = z.object({ ...head, ...span, timeOffsetSpo2Values: byOffset });
export const hrv = z.object({ ...head, ...span, hrvValues: byOffset });

/** Deviation from the long-term mean, °C. */
export const skinTemperature = z.object({ ...head, ...span, avgDeviationCelsius: number });

export const bloodPressure = z.object({ ...head, ...measured, systolic: z.number(), diastolic: z.number() });

export const userMetrics = z.object({ ...head, calendarDate: z.string(), vo2Max: number, vo2MaxCycling: number });

export const activity = z.object({
  ...head,
  ...span,
  durationInSeconds: z.number(),
  activityName: z.string().nullish(),
  deviceName: z.string().nullish(),
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

/** Push body: by summary type, a list of summaries, or of pings with the URL to fetch the summaries from. */
export const pushBody = z.record(
  z.string(),
  z.array(z.looseObject({ userId: z.string(), callbackURL: z.string().nullish() })),
);

/** The response of a ping's callback URL. */
export const summaries = z.array(z.looseObject({}));
