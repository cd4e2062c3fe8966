import * as z from "zod";

/** Response schemas of WHOOP API v2, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

/** A record that states to be scored has its score. Without it, the record is reported instead of skipped. */
const withScore = <S extends z.ZodType<{ score_state: string; score?: unknown }>>(record: S) =>
  record.refine(({ score_state, score }) => score_state !== "SCORED" || score != null, { path: ["score"] });

/** Common fields of records with a duration. The score is present once `score_state` is `SCORED`. */
const timed = { start: z.string(), timezone_offset: text, score_state: z.string() };

export const cycle = withScore(
  z.object({
    ...timed,
    /** Absent for the current cycle. */
    end: text,
    score: z.object({ kilojoule: number, average_heart_rate: number, max_heart_rate: number }).nullish(),
  }),
);
export type Cycle = z.output<typeof cycle>;

const stageSummary = z.object({
  total_in_bed_time_milli: number,
  total_awake_time_milli: number,
  total_no_data_time_milli: number,
  total_light_sleep_time_milli: number,
  total_slow_wave_sleep_time_milli: number,
  total_rem_sleep_time_milli: number,
});

export const sleep = withScore(
  z.object({
    id: z.string(),
    ...timed,
    end: z.string(),
    nap: z.boolean().nullish(),
    score: z
      .object({
        stage_summary: stageSummary,
        respiratory_rate: number,
        sleep_performance_percentage: number,
        sleep_efficiency_percentage: number,
      })
      .nullish(),
  }),
);
export type Sleep = z.output<typeof sleep>;

export const recovery = withScore(
  z.object({
    sleep_id: z.string(),
    score_state: z.string(),
    score: z
      .object({
        recovery_score: number,
        resting_heart_rate: number,
        hrv_rmssd_milli: number,
        spo2_percentage: number,
        skin_temp_celsius: number,
      })
      .nullish(),
  }),
);
export type Recovery = z.output<typeof recovery>;

export const workout = withScore(
  z.object({
    id: z.string(),
    ...timed,
    end: z.string(),
    sport_name: text,
    score: z
      .object({
        average_heart_rate: number,
        max_heart_rate: number,
        kilojoule: number,
        distance_meter: number,
        altitude_gain_meter: number,
        zone_durations: z.record(z.string(), z.number()).nullish(),
      })
      .nullish(),
  }),
);
export type Workout = z.output<typeof workout>;

export const basicProfile = z.object({ user_id: z.number() });

export const bodyMeasurement = z.object({ height_meter: number, weight_kilogram: number });

/** A page of a collection. */
export const pageSchema = <S extends z.ZodType>(item: S) => z.object({ records: z.array(item), next_token: text });

export const pushBody = z.object({ user_id: z.number(), id: z.union([z.string(), z.number()]), type: z.string() });
