import * as z from "zod";

/** What Fitbit answers (Web API), as far as it is read. Times are those of the user's clocks, without an offset. */

const number = z.number().nullish();

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

export const night = z.object({
  logId: z.number(),
  dateOfSleep: z.string(),
  startTime: z.string(),
  /** Milliseconds. */
  duration: z.number(),
  efficiency: number,
  minutesAsleep: number,
  minutesAwake: number,
  minutesToFallAsleep: number,
  levels: z.object({ data: z.array(z.object({ level: z.string(), seconds: z.number() })).default([]) }).nullish(),
});
export type Night = z.output<typeof night>;
export const nights = z.object({ sleep: z.array(night) });

export const weights = z.object({
  weight: z.array(z.object({ date: z.string(), weight: number, fat: number, bmi: number })),
});

/** Who granted access, in the reply to a code. */
export const granted = z.object({ user_id: z.string() });

/** How a token request is refused. */
export const refusal = z.object({ errors: z.tuple([z.object({ errorType: z.string() })], z.unknown()) });

export const pushed = z.array(
  z.object({ collectionType: z.string(), date: z.iso.date().optional(), ownerId: z.string() }),
);
