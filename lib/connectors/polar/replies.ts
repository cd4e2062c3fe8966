import * as z from "zod";

/** Response schemas of AccessLink 3.68, limited to the fields that the connector reads. */

const number = z.number().nullish();
/** Values by local time, HH:MM. */
const byClock = z.record(z.string(), z.number()).nullish();

/** A response without content, which the documents list, is a response without records. @param none what it means. */
const contentOr = <S extends z.ZodType>(none: unknown, schema: S) =>
  z.preprocess((payload) => (payload === null ? none : payload), schema);

const activity = z.object({
  start_time: z.string(),
  end_time: z.string().nullish(),
  samples: z.object({ date: z.string().nullish() }).nullish(),
  calories: number,
  active_calories: number,
  steps: number,
  distance_from_steps: number,
});

export const activities = contentOr([], z.array(activity));
export type Activity = z.output<typeof activity>;

const night = z.object({
  device_id: z.string().nullish(),
  date: z.string(),
  sleep_start_time: z.string(),
  sleep_end_time: z.string(),
  light_sleep: number,
  deep_sleep: number,
  rem_sleep: number,
  sleep_score: number,
  total_interruption_duration: number,
  hypnogram: byClock,
  heart_rate_samples: byClock,
});
export type Night = z.output<typeof night>;
export const nights = contentOr({ nights: [] }, z.object({ nights: z.array(night) }));

const recharge = z.object({
  date: z.string(),
  heart_rate_avg: number,
  heart_rate_variability_avg: number,
  breathing_rate_avg: number,
  hrv_samples: byClock,
  breathing_samples: byClock,
});
export type Recharge = z.output<typeof recharge>;
export const recharges = contentOr({ recharges: [] }, z.object({ recharges: z.array(recharge) }));

export const dailyHeartRate = z.object({
  date: z.string(),
  heart_rate_samples: z.array(z.object({ heart_rate: z.number(), sample_time: z.string() })),
});
export const heartRates = contentOr({ heart_rates: [] }, z.object({ heart_rates: z.array(dailyHeartRate) }));

/** Heart rates as a list of days; a response may also be one day. */
export const toDayList = (payload: unknown): unknown =>
  Object.hasOwn(Object(payload), "heart_rate_samples") ? { heart_rates: [payload] } : payload;

export const exercise = z.object({
  device_id: z.string().nullish(),
  id: z.string(),
  start_time: z.string(),
  /** Minutes. */
  start_time_utc_offset: z.number(),
  duration: z.string(),
  calories: number,
  distance: number,
  heart_rate: z.object({ average: number, maximum: number }).nullish(),
  sport: z.string().nullish(),
  detailed_sport_info: z.string().nullish(),
  /** RR intervals have no rate: one value per beat. */
  samples: z
    .array(
      z.object({
        /** Seconds. */
        "recording-rate": z.coerce.number().positive().max(3_600).nullish(),
        "sample-type": z.union([z.string(), z.number()]).transform(String),
        data: z.string().nullish(),
      }),
    )
    .nullish(),
  route: z.array(z.object({ latitude: z.number(), longitude: z.number(), time: z.string() })).nullish(),
});
export type Exercise = z.output<typeof exercise>;
export const exercises = contentOr([], z.array(exercise));

/** The user id in a token response. */
export const tokenOwner = z.object({ x_user_id: z.union([z.string(), z.number()]) });

export const person = contentOr(
  {},
  z.object({
    birthdate: z.string().nullish(),
    gender: z.string().nullish(),
    height: number,
    /** Current weight, kg. */
    weight: number,
  }),
);

export const pushBody = z.object({
  event: z.string(),
  user_id: z.number(),
  /** Id of the exercise; absent for other events. */
  entity_id: z.string().optional(),
  date: z.iso.date().optional(),
  timestamp: z.string(),
});
