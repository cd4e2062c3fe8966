import * as z from "zod";

/** Response schemas of Withings, limited to the fields read. The HTTP status is always 200; the body has its own. */

const number = z.number().nullish();
const text = z.string().nullish();

/** An object, which is an empty list if it has no members. */
const objectOrEmptyList = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (Array.isArray(value) && value.length === 0 ? {} : value), schema);

/** Ids of the device; newer responses name the first one only. */
const device = { hash_deviceid: text, deviceid: text };
export type DeviceIds = z.output<z.ZodObject<typeof device>>;

export const envelope = z.object({ status: z.number(), body: z.unknown().optional(), error: z.string().nullish() });

const bodySchema = <S extends z.ZodType>(body: S) => z.object({ body });

export const nonce = bodySchema(z.object({ nonce: z.string() }));

/** The user id in a token response. */
export const tokenOwner = z.object({ userid: z.union([z.string(), z.number()]) });

/** Pagination fields. `more` is a number in responses with measures. */
const pagination = { more: z.union([z.boolean(), z.number()]).nullish(), offset: number };

const measureGroup = z.object({
  ...device,
  attrib: number,
  category: number,
  date: z.number(),
  measures: z.array(z.object({ type: z.number(), value: z.number(), unit: z.number() })),
});
export type MeasureGroup = z.output<typeof measureGroup>;

export const measures = bodySchema(z.object({ timezone: text, measuregrps: z.array(measureGroup), ...pagination }));

const activity = z.object({
  ...device,
  date: z.string(),
  timezone: z.string().nullish(),
  is_tracker: z.boolean().nullish(),
  steps: number,
  distance: number,
  soft: number,
  moderate: number,
  intense: number,
  calories: number,
  totalcalories: number,
  hr_average: number,
  hr_min: number,
  hr_max: number,
});
export type Activity = z.output<typeof activity>;

export const activities = bodySchema(z.object({ activities: z.array(activity), ...pagination }));

const workout = z.object({
  ...device,
  id: z.number(),
  category: z.number(),
  timezone: z.string(),
  startdate: z.number(),
  enddate: z.number(),
  data: objectOrEmptyList(
    z.object({
      calories: number,
      manual_calories: number,
      distance: number,
      manual_distance: number,
      steps: number,
      hr_average: number,
      hr_max: number,
    }),
  ),
});
export type Workout = z.output<typeof workout>;

export const workouts = bodySchema(z.object({ series: z.array(workout), ...pagination }));

const night = z.object({
  ...device,
  id: z.number(),
  timezone: z.string(),
  model: number,
  model_id: number,
  startdate: z.number(),
  enddate: z.number(),
  date: z.string(),
  data: objectOrEmptyList(
    z.object({
      wakeupduration: number,
      lightsleepduration: number,
      deepsleepduration: number,
      remsleepduration: number,
      sleep_latency: number,
      sleep_efficiency: number,
      total_timeinbed: number,
      total_sleep_time: number,
      // The time asleep of a night of another source, whose stages are null.
      asleepduration: number,
      hr_average: number,
      hr_min: number,
      rr_average: number,
      sleep_score: number,
    }),
  ),
});
export type Night = z.output<typeof night>;

export const nights = bodySchema(z.object({ series: z.array(night), ...pagination }));

/** Values by Unix time. */
const values = objectOrEmptyList(z.record(z.string(), z.number()).nullish());

const sleepSegment = z.object({
  ...device,
  model_id: number,
  startdate: z.number(),
  enddate: z.number(),
  state: z.number(),
  hr: values,
  rr: values,
  rmssd: values,
});
export type SleepSegment = z.output<typeof sleepSegment>;

export const sleepSegments = bodySchema(z.object({ series: z.array(sleepSegment) }));

export const successResponse = z.object({ status: z.literal(0) });
