import * as z from "zod";

/** Response schemas of Google Health API v4, limited to the fields that the connector reads. Integers are strings. */

const numeric = z
  .union([z.string(), z.number()])
  .transform(Number)
  .refine((value) => Number.isFinite(value));
const optionalNumeric = numeric.nullish();
/** `7200s`. */
const seconds = z
  .string()
  .regex(/^-?[\d.]+s$/)
  .transform((text) => Number.parseFloat(text));

const interval = z.object({ startTime: z.string(), startUtcOffset: seconds.nullish(), endTime: z.string() });
const sampleTime = z.object({ physicalTime: z.string(), utcOffset: seconds.nullish() });

/** Schema of a numeric value of an interval. @param field name of the value. */
export const intervalValue = (field: string) =>
  z.looseObject({ interval }).transform((point, context) => {
    const value = readNumber(point, field, context);
    return { ...point.interval, value };
  });
export type IntervalValue = z.output<ReturnType<typeof intervalValue>>;

/** Schema of a numeric value at an instant. @param field name of the value. */
export const sampleValue = (field: string) =>
  z.looseObject({ sampleTime }).transform((point, context) => {
    const value = readNumber(point, field, context);
    return { ...point.sampleTime, value };
  });
export type SampleValue = z.output<ReturnType<typeof sampleValue>>;

function readNumber(point: Readonly<Record<string, unknown>>, field: string, context: z.RefinementCtx): number {
  const { success, data } = numeric.safeParse(point[field]);
  if (success) return data;
  context.addIssue({ code: "custom", path: [field], message: "no number" });
  return z.NEVER;
}

export const restingHeartRate = z.object({
  date: z.object({ year: z.number(), month: z.number(), day: z.number() }),
  beatsPerMinute: numeric,
});

export const sleep = z.object({
  interval: interval.extend({ endUtcOffset: seconds.nullish() }),
  stages: z.array(z.object({ startTime: z.string(), endTime: z.string(), type: z.string() })).default([]),
  metadata: z.object({ nap: z.boolean().nullish(), processed: z.boolean().nullish() }).nullish(),
  summary: z
    .object({ minutesToFallAsleep: optionalNumeric, minutesAsleep: optionalNumeric, minutesAwake: optionalNumeric })
    .nullish(),
});
export type Sleep = z.output<typeof sleep>;

export const exercise = z.object({
  interval,
  exerciseType: z.string().nullish(),
  displayName: z.string().nullish(),
  activeDuration: seconds.nullish(),
  metricsSummary: z
    .object({
      caloriesKcal: optionalNumeric,
      averageHeartRateBeatsPerMinute: optionalNumeric,
      distanceMillimeters: optionalNumeric,
      averageSpeedMillimetersPerSecond: optionalNumeric,
      elevationGainMillimeters: optionalNumeric,
      steps: optionalNumeric,
    })
    .nullish(),
});
export type Exercise = z.output<typeof exercise>;

export const identity = z.object({ healthUserId: z.string() });

/** The device and the app of a raw data point. */
const dataSource = z.object({
  device: z.object({ displayName: z.string().nullish() }).nullish(),
  application: z.object({ packageName: z.string().nullish() }).nullish(),
});
export type DataSource = z.output<typeof dataSource>;

/** A page of data points, each with its value under the name of the data type. No list means no points. */
export const page = z.preprocess(
  // Anything else in place of the list makes the page unreadable, instead of empty.
  (payload) => (Array.isArray(Object(payload).dataPoints ?? []) ? payload : undefined),
  z.object({
    dataPoints: z.array(z.looseObject({ name: z.string().nullish(), dataSource: dataSource.nullish() })).nullish(),
    nextPageToken: z.string().nullish(),
  }),
);

const times = z.object({ startTime: z.string(), endTime: z.string() });
const civil = z.object({
  date: z.object({ year: z.number(), month: z.number(), day: z.number() }),
  time: z.object({ hours: optionalNumeric, minutes: optionalNumeric }).nullish(),
});
/** A notification; the changed intervals are instants or civil times. */
const notification = z.object({
  data: z.object({
    healthUserId: z.string(),
    dataType: z.string(),
    intervals: z
      .array(
        z.object({
          physicalTimeInterval: times.nullish(),
          civilIso8601TimeInterval: times.nullish(),
          civilDateTimeInterval: z.object({ startDateTime: civil, endDateTime: civil }).nullish(),
        }),
      )
      .default([]),
  }),
});
export type Notification = z.output<typeof notification>;

/** Google sends an array of notifications, or a single one. */
export const pushBody = z.preprocess(
  (payload) => (Array.isArray(payload) ? payload : [payload]),
  z.array(notification),
);

export const keyset = z.object({
  key: z.array(z.object({ keyData: z.object({ value: z.string() }), status: z.string(), keyId: z.number() })),
});
export type Keyset = z.output<typeof keyset>;
