import type { RowSource, SummaryRow } from "../rows/rows.ts";
import { mealFieldPaths } from "./meal-columns.ts";

/** Reads one query-language column from a wire summary. */
export type SummaryReader = (row: SummaryRow) => unknown;
type Readers = Readonly<Record<string, SummaryReader>>;

/** Reads a field by its path, for example `heart_rate.avg_bpm`. */
export const fieldReader = (path: string): SummaryReader => {
  const names = path.split(".");
  return (row) => names.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], row);
};

/** Readers by column, from the field path of each. */
const readersByPath = (fields: Readonly<Record<string, string>>): Readers =>
  Object.fromEntries(Object.entries(fields).map(([column, path]) => [column, fieldReader(path)]));

const number = (row: SummaryRow, field: string): number | null => {
  const value = row[field];
  return typeof value === "number" ? value : null;
};

const MINUTE_S = 60;
const minutesAsSeconds =
  (...minutes: string[]): SummaryReader =>
  (row) => {
    const known = minutes.flatMap((field) => number(row, field) ?? []);
    return known.length === 0 ? null : known.reduce((all, value) => all + value, 0) * MINUTE_S;
  };

/** Offset from UTC as +HH:MM. */
const utcOffsetReader: SummaryReader = (row) => {
  const offset = number(row, "timezone_offset");
  if (offset === null) return null;
  const minutes = Math.abs(Math.trunc(offset / 60));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.trunc(minutes / 60))}:${two(minutes % 60)}`;
};

const sourceColumn =
  (field: keyof RowSource): SummaryReader =>
  ({ source }) =>
    source[field];
const source = {
  source_type: sourceColumn("type"),
  source_provider: sourceColumn("provider"),
  source_app_id: sourceColumn("app_id"),
  source_device_id: sourceColumn("device_id"),
};

const heartRateZone = (index: number): SummaryReader => fieldReader(`hr_zones.${index}`);
const zones = Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`heart_rate_zone_${n + 1}`, heartRateZone(n)]));

const sameNameReaders = (...names: string[]) => readersByPath(Object.fromEntries(names.map((name) => [name, name])));

const sleep: Readers = {
  ...sameNameReaders("id", "state", "type", "score", "recovery_readiness_score", "efficiency", "skin_temperature"),
  ...readersByPath({ session_start: "bedtime_start", session_end: "bedtime_stop", duration_second: "duration" }),
  ...readersByPath({ stage_asleep_second: "total", stage_awake_second: "awake", stage_light_second: "light" }),
  ...readersByPath({ stage_rem_second: "rem", stage_deep_second: "deep", latency_second: "latency" }),
  ...readersByPath({
    heart_rate_minimum: "hr_lowest",
    heart_rate_mean: "hr_average",
    heart_rate_resting: "hr_resting",
  }),
  ...readersByPath({
    heart_rate_dip: "hr_dip",
    hrv_mean_rmssd: "average_hrv",
    skin_temperature_delta: "temperature_delta",
  }),
  ...sameNameReaders("respiratory_rate"),
  // Time asleep without a stage from the source.
  stage_unknown_second: (row) => {
    const staged = ["light", "rem", "deep"].reduce((all, field) => all + (number(row, field) ?? 0), 0);
    const total = number(row, "total");
    return total === null ? null : Math.max(0, total - staged);
  },
  time_zone: utcOffsetReader,
};

const activity: Readers = {
  ...readersByPath({ date: "calendar_date", distance_meter: "distance", time_zone_offset: "timezone_offset" }),
  ...sameNameReaders(
    "calories_total",
    "calories_active",
    "steps",
    "floors_climbed",
    "wheelchair_use",
    "wheelchair_push",
  ),
  ...readersByPath({ heart_rate_mean: "heart_rate.avg_bpm", heart_rate_minimum: "heart_rate.min_bpm" }),
  ...readersByPath({ heart_rate_maximum: "heart_rate.max_bpm", heart_rate_resting: "heart_rate.resting_bpm" }),
  ...readersByPath({ heart_rate_mean_walking: "heart_rate.avg_walking_bpm", time_zone: "time_zone" }),
  duration_active_second: minutesAsSeconds("low", "medium", "high"),
  intensity_low_second: minutesAsSeconds("low"),
  intensity_medium_second: minutesAsSeconds("medium"),
  intensity_high_second: minutesAsSeconds("high"),
};

const workout: Readers = {
  ...readersByPath({
    session_start: "time_start",
    session_end: "time_end",
    sport_name: "sport.name",
    sport_slug: "sport.slug",
  }),
  ...sameNameReaders("title", "calories", "steps"),
  ...readersByPath({
    duration_active_second: "moving_time",
    heart_rate_mean: "average_hr",
    heart_rate_maximum: "max_hr",
  }),
  ...readersByPath({ distance_meter: "distance", elevation_gain_meter: "total_elevation_gain" }),
  ...readersByPath({
    elevation_maximum_meter: "elev_high",
    elevation_minimum_meter: "elev_low",
    speed_mean: "average_speed",
  }),
  ...readersByPath({ speed_maximum: "max_speed", power_mean: "average_watts", power_maximum: "max_watts" }),
  ...readersByPath({ power_weighted_mean: "weighted_average_watts", external_id: "provider_id" }),
  ...readersByPath({ map_polyline: "map.polyline", map_summary_polyline: "map.summary_polyline" }),
  ...zones,
  power_source: (row) => (number(row, "device_watts") === null ? null : "device"),
  time_zone: utcOffsetReader,
};

const body: Readers = {
  ...readersByPath({ measured_at: "calendar_date", weight_kilogram: "weight", fat_mass_percentage: "fat" }),
  ...sameNameReaders("water_percentage", "muscle_mass_percentage", "visceral_fat_index", "bone_mass_percentage"),
  ...sameNameReaders("body_mass_index", "lean_body_mass_kilogram", "waist_circumference_centimeter"),
};

const profile: Readers = {
  ...sameNameReaders("birth_date", "wheelchair_use", "gender", "sex", "created_at", "updated_at"),
  ...readersByPath({ height_centimeter: "height" }),
};

const readers: Readonly<Record<string, Readers>> = {
  sleep,
  activity,
  workout,
  body,
  profile,
  meal: readersByPath(mealFieldPaths),
};

/**
 * Reader of a table column. Columns without a source field are null; unlisted tables use field names as column names.
 */
export function columnReader(table: string, column: string): SummaryReader {
  if (column in source) return source[column as keyof typeof source];
  const ofTable = readers[table];
  return ofTable ? (ofTable[column] ?? (() => null)) : fieldReader(column);
}
