import * as z from "zod";

/** Response schemas of the Fitbit Web API, limited to the fields that the connector reads. Times are local. */

const number = z.number().nullish();
const text = z.string().nullish();

export const user = z.object({
  user: z.object({
    encodedId: z.string(),
    timezone: z.string(),
    dateOfBirth: z.string().nullish(),
    gender: z.string().nullish(),
    height: number,
  }),
});

export const activity = z.object({
  summary: z.object({
    steps: number,
    caloriesOut: number,
    activityCalories: number,
    floors: number,
    lightlyActiveMinutes: number,
    fairlyActiveMinutes: number,
    veryActiveMinutes: number,
    restingHeartRate: number,
    distances: z.array(z.object({ activity: z.string(), distance: z.number() })).default([]),
  }),
});

const stage = z.object({ level: z.string(), seconds: z.number() });

const night = z.object({
  logId: z.number(),
  dateOfSleep: z.string(),
  startTime: z.string(),
  /** Milliseconds. */
  duration: z.number(),
  efficiency: number,
  minutesAsleep: number,
  minutesAwake: number,
  minutesToFallAsleep: number,
  levels: z
    .object({
      data: z.array(stage).default([]),
      /** Wakes of at most three minutes within the stages of `data`. */
      shortData: z.array(stage.extend({ dateTime: z.string() })).nullish(),
    })
    .nullish(),
});
export type Night = z.output<typeof night>;
export const nights = z.object({ sleep: z.array(night) });

export const weights = z.object({
  weight: z.array(z.object({ date: z.string(), time: text, weight: number, fat: number, bmi: number })),
});

/** The user id in a token response. */
export const tokenOwner = z.object({ user_id: z.string() });

/** The error response of the token endpoint. */
export const errorResponse = z.object({ errors: z.tuple([z.object({ errorType: z.string() })], z.unknown()) });

export const pushBody = z.array(
  z.object({ collectionType: z.string(), date: z.iso.date().optional(), ownerId: z.string() }),
);
