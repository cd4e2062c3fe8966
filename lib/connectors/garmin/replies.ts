import * as z from "zod";

/** What Garmin pushes, as far as it is read: names of fields are those that public implementations use. */

const number = z.number().nullish();
const head = { userId: z.string(), summaryId: z.string().nullish() };
/** Absent of some records, which are then of the day of their time. */
const dated = { calendarDate: z.string().nullish() };
const span = { startTimeInSeconds: z.number(), startTimeOffsetInSeconds: number, durationInSeconds: number };
const measured = { measurementTimeInSeconds: z.number(), measurementTimeOffsetInSeconds: number };
/** Values by seconds after the begin. */
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
  // Its mean is not read: it is that of the last 7 days.
  maxHeartRateInBeatsPerMinute: number,
  restingHeartRateInBeatsPerMinute: number,
  timeOffsetHeartRateSamples: byOffset,
});

/** Of each quarter of an hour there is one for each kind of movement in it, with the span of all of them. */
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

/** Against the long-term mean, °C. */
export const skinTemperature = z.object({ ...head, ...span, avgDeviationCelsius: number });

export const bloodPressure = z.object({ ...head, ...measured, systolic: z.number(), diastolic: z.number() });

export const userMetrics = z.object({ ...head, calendarDate: z.string(), vo2Max: number, vo2MaxCycling: number });

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

/** A body by types of summaries, each with a list: of summaries, or of pings, which say where to fetch those. */
export const pushed = z.record(
  z.string(),
  z.array(z.looseObject({ userId: z.string(), callbackURL: z.string().nullish() })),
);

/** What an address that a ping named is answered with. */
export const summaries = z.array(z.looseObject({}));
