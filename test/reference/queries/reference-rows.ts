import type { SampleRow, SummaryRow } from "../../../lib/domain/queries/rows/rows.ts";
import { indexColumns, type TableName } from "../../../lib/domain/queries/tables/columns.ts";
import type { Cell } from "./postfix-condition.ts";
import { DAY_MS, MINUTE_MS, userWallClock } from "./wall-clock.ts";

/** A half-open interval in epoch milliseconds. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** A sample or summary in the columns of the query language. */
export interface ReferenceRow {
  /** Index in epoch milliseconds; midnight for a date. */
  readonly at: number;
  /** The covered time. */
  readonly span: TimeSpan;
  /** Its treatment when a better source covers a part of its time (see merge.ts). */
  readonly kind: "amount" | "session" | "measure";
  /** The user's wall clock at the index (see wall-clock.ts). */
  readonly shown: number;
  readonly provider: string;
  readonly type: string;
  /** Cells as in responses: instants in the user's wall-clock time. */
  readonly cells: Readonly<Record<string, unknown>>;
  /** The user's wall clock at an instant, by the row's own offset if present. */
  readonly clockAt: (ms: number) => number;
  /** The cells that are instants, for comparisons. */
  readonly instants: Readonly<Record<string, number>>;
}

/** The scalar cell of a row; null if missing. */
export const cellOf = (row: ReferenceRow, column: string): Cell => (row.cells[column] ?? null) as Cell;

/** Formats an instant as on the wire. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/(\.000)?Z$/, "+00:00");
}

/** Formats a wall-clock time as in responses: date and time without an offset. */
export const formatClock = (shown: number) => new Date(shown).toISOString().replace(/(\.000)?Z$/, "");

const sourceCells = ({ source }: SampleRow | SummaryRow) => ({
  source_provider: source.provider,
  source_type: source.type,
  source_app_id: source.app_id ?? null,
  source_device_id: source.device_id ?? null,
  source_workout_id: source.workout_id ?? null,
  source_sport: source.sport ?? null,
});

/** Generated timeseries whose values add up over time. */
const additiveTimeseries: readonly string[] = ["steps"];

/** The minute of an instant, which a point covers. */
function minuteOf(ms: number): TimeSpan {
  const from = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  return { from, to: from + MINUTE_MS };
}

/** Converts a sample; `duration` is in seconds. */
export function toReferenceSample(name: string, sample: SampleRow, zone: string): ReferenceRow {
  const at = Date.parse(sample.timestamp);
  const endsAt = sample.end ? Date.parse(sample.end) : at;
  const clockAt = (ms: number) => userWallClock(sample.timezone_offset, zone, ms);
  const shown = clockAt(at);
  const { provider, type } = sample.source;
  const own = { content: name === "note" ? sample.value : undefined, timestamp: formatClock(shown) };
  const cells = { ...sample, ...sourceCells(sample), ...own, duration: (endsAt - at) / 1000 };
  const span = endsAt > at ? { from: at, to: endsAt } : minuteOf(at);
  const kind = additiveTimeseries.includes(name) && endsAt > at ? "amount" : "measure";
  return { at, span, kind, shown, provider, type, cells, clockAt, instants: {} };
}

type Wire = Readonly<Record<string, unknown>>;
const inner = (row: Wire, field: string) => (row[field] ?? {}) as Wire;
const seconds = (minutes: unknown) => (typeof minutes === "number" ? minutes * 60 : null);

/** Columns whose names differ from the wire fields, derived from those fields. */
const columnsFrom: Partial<Record<TableName, (row: Wire) => Wire>> = {
  sleep: (row) => ({
    session_start: row.bedtime_start,
    session_end: row.bedtime_stop,
    duration_second: row.duration,
    stage_asleep_second: row.total,
    stage_awake_second: row.awake,
    stage_light_second: row.light,
    stage_rem_second: row.rem,
    stage_deep_second: row.deep,
    latency_second: row.latency,
    heart_rate_minimum: row.hr_lowest,
    heart_rate_mean: row.hr_average,
    heart_rate_dip: row.hr_dip,
    heart_rate_resting: row.hr_resting,
    hrv_mean_rmssd: row.average_hrv,
    skin_temperature_delta: row.temperature_delta,
  }),
  activity: (row) => ({
    date: row.calendar_date,
    distance_meter: row.distance,
    intensity_low_second: seconds(row.low),
    intensity_medium_second: seconds(row.medium),
    intensity_high_second: seconds(row.high),
    heart_rate_mean: inner(row, "heart_rate").avg_bpm,
    heart_rate_minimum: inner(row, "heart_rate").min_bpm,
    heart_rate_maximum: inner(row, "heart_rate").max_bpm,
    heart_rate_resting: inner(row, "heart_rate").resting_bpm,
    heart_rate_mean_walking: inner(row, "heart_rate").avg_walking_bpm,
    time_zone_offset: row.timezone_offset,
  }),
  workout: (row) => ({
    session_start: row.time_start,
    session_end: row.time_end,
    sport_name: inner(row, "sport").name,
    sport_slug: inner(row, "sport").slug,
    duration_active_second: row.moving_time,
    heart_rate_mean: row.average_hr,
    heart_rate_maximum: row.max_hr,
    distance_meter: row.distance,
    elevation_gain_meter: row.total_elevation_gain,
    speed_mean: row.average_speed,
    external_id: row.provider_id,
  }),
  body: (row) => ({
    measured_at: `${row.calendar_date}T00:00:00`,
    weight_kilogram: row.weight,
    fat_mass_percentage: row.fat,
  }),
  meal: (row) => ({ date: row.calendar_date, calories: inner(row, "energy").value }),
  profile: (row) => ({ height_centimeter: row.height }),
};

/** The columns that contain an instant. */
const instantColumns: Partial<Record<TableName, readonly string[]>> = {
  sleep: ["session_start", "session_end"],
  workout: ["session_start", "session_end"],
};

/** The time that a summary covers: a session, the days of a period, or its day. */
function coveredSpan(cells: Wire, { session_start: from, session_end: to }: ReferenceRow["instants"], at: number) {
  if (from !== undefined && to !== undefined) return { span: { from, to }, kind: "session" } as const;
  if (!("period_start" in cells)) return { span: { from: at, to: at + DAY_MS }, kind: "measure" } as const;
  const last = typeof cells.period_end === "string" ? Date.parse(cells.period_end) : at;
  return { span: { from: at, to: last + DAY_MS }, kind: "session" } as const;
}

/** Converts a summary. A date is a date of the user, wherever the user was. */
export function toReferenceSummary(table: TableName, summary: SummaryRow, zone: string): ReferenceRow {
  const wired: Wire = { ...summary, ...columnsFrom[table]?.(summary), ...sourceCells(summary) };
  const offset = typeof summary.timezone_offset === "number" ? summary.timezone_offset : null;
  const clockAt = (ms: number) => userWallClock(offset, zone, ms);
  const index = indexColumns[table];
  const columns = instantColumns[table] ?? [];
  const instants = Object.fromEntries(columns.map((name) => [name, Date.parse(String(wired[name]))]));
  const clocks = Object.entries(instants).map(([name, ms]) => [name, formatClock(clockAt(ms))]);
  const day = String(wired[index]).slice(0, "YYYY-MM-DD".length);
  const at = instants[index] ?? Date.parse(day);
  const shown = index in instants ? clockAt(at) : at;
  const { provider, type } = summary.source;
  const cells = { ...wired, ...Object.fromEntries(clocks) };
  const { span, kind } = coveredSpan(cells, instants, at);
  return { at, span, kind, shown, provider, type, cells, clockAt, instants };
}
