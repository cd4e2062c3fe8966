import * as replies from "../../oura/replies.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";

/** Fields of Oura's API by the columns of the trends file, in the same units: seconds, kcal, bpm, ms. */
const periodColumns = {
  time_in_bed: "Total Bedtime",
  total_sleep_duration: "Total Sleep Duration",
  awake_time: "Awake Time",
  rem_sleep_duration: "REM Sleep Duration",
  light_sleep_duration: "Light Sleep Duration",
  deep_sleep_duration: "Deep Sleep Duration",
  latency: "Sleep Latency",
  efficiency: "Sleep Efficiency",
  average_heart_rate: "Average Resting Heart Rate",
  lowest_heart_rate: "Lowest Resting Heart Rate",
  average_hrv: "Average HRV",
  average_breath: "Respiratory Rate",
} as const;

const activityColumns = {
  steps: "Steps",
  active_calories: "Activity Burn",
  total_calories: "Total Burn",
  low_activity_time: "Low Activity Time",
  medium_activity_time: "Medium Activity Time",
  high_activity_time: "High Activity Time",
} as const;

/**
 * Converts a day of the trends file of Oura's website to documents of its API: the main sleep, its scores and the
 * activity, each undefined without values. Public readers of such files name the columns; `Bedtime Start` is the counterpart of `Bedtime End` that they name.
 */
export function toTrendDocuments(row: CsvRow) {
  const day = row.date ?? "";
  const read = (columns: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, parseNumber(row[column])]));
  const start = row["Bedtime Start"];
  const period = {
    id: `sleep ${start}`,
    day,
    type: "long_sleep",
    bedtime_start: start,
    bedtime_end: row["Bedtime End"],
    ...read(periodColumns),
  };
  const activity: Readonly<Record<string, unknown>> = { day, ...read(activityColumns) };
  const readiness = { day, timestamp: row["Bedtime End"], score: parseNumber(row["Readiness Score"]) };
  return {
    score: { day, score: parseNumber(row["Sleep Score"]) },
    readiness: replies.dailyReadiness.safeParse(readiness).data,
    period: start ? replies.sleepPeriod.safeParse(period).data : undefined,
    activity: activity.steps === undefined ? undefined : replies.dailyActivity.safeParse(activity).data,
  };
}
