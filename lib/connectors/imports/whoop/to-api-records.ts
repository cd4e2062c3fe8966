import type { Cycle, Sleep, Workout } from "../../whoop/replies.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";
import type { RecoveryScore } from "./whoop-recoveries.ts";

// The columns are those of public readers and of the exports in their tests.
const KJ_PER_KCAL = 4.184;
const MINUTE_MS = 60_000;

/** Reads an offset such as `UTC+02:00` as `+02:00`; null for anything else. */
function offsetOf(row: CsvRow): string | null {
  const zone = row["Cycle timezone"]?.trim() ?? "";
  if (/^(?:UTC)?Z?$/.test(zone) && zone !== "") return "+00:00";
  return /^UTC([+-]\d\d:\d\d)$/.exec(zone)?.[1] ?? null;
}

/** Reads a local time such as `2026-05-09 23:15:00` with the offset of the row's cycle; undefined without either. */
function timeOf(row: CsvRow, column: string): string | undefined {
  const local = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d)?)/.exec(row[column]?.trim() ?? "");
  const offset = offsetOf(row);
  return local && offset !== null ? `${local[1]}T${local[2]}${offset}` : undefined;
}

const numberOf = (row: CsvRow, column: string): number | null => parseNumber(row[column]) ?? null;

/** Converts minutes to milliseconds, as WHOOP's API has them. */
function millisecondsOf(row: CsvRow, column: string): number | null {
  const minutes = numberOf(row, column);
  return minutes === null ? null : Math.round(minutes * MINUTE_MS);
}

/** Converts `Energy burned (cal)`, which are kcal, to kJ, as WHOOP's API has them. */
function kilojoulesOf(row: CsvRow): number | null {
  const kcal = numberOf(row, "Energy burned (cal)");
  return kcal === null ? null : kcal * KJ_PER_KCAL;
}

/** A row of `physiological_cycles.csv` as a cycle. The current cycle has no end. */
export function toCycle(row: CsvRow): Cycle | undefined {
  const [start, end] = [timeOf(row, "Cycle start time"), timeOf(row, "Cycle end time")];
  if (!start) return undefined;
  const score = {
    kilojoule: kilojoulesOf(row),
    average_heart_rate: numberOf(row, "Average HR (bpm)"),
    max_heart_rate: numberOf(row, "Max HR (bpm)"),
  };
  const isScored = Object.values(score).some((value) => value !== null);
  const state = isScored ? "SCORED" : "UNSCORABLE";
  return {
    start,
    end: end ?? null,
    timezone_offset: offsetOf(row),
    score_state: state,
    score: isScored ? score : null,
  };
}

/** The recovery in a row of `physiological_cycles.csv`. */
export const toRecovery = (row: CsvRow): RecoveryScore => ({
  recovery_score: numberOf(row, "Recovery score %"),
  resting_heart_rate: numberOf(row, "Resting heart rate (bpm)"),
  hrv_rmssd_milli: numberOf(row, "Heart rate variability (ms)"),
  spo2_percentage: numberOf(row, "Blood oxygen %"),
  skin_temp_celsius: numberOf(row, "Skin temp (celsius)"),
});

/** A row of `sleeps.csv` or `physiological_cycles.csv` as a sleep. */
export function toSleepRecord(row: CsvRow): Sleep | undefined {
  const [start, end] = [timeOf(row, "Sleep onset"), timeOf(row, "Wake onset")];
  if (!start || !end) return undefined;
  return {
    id: `sleep ${start}`,
    start,
    end,
    timezone_offset: offsetOf(row),
    nap: row.Nap?.toLowerCase() === "true",
    score_state: "SCORED",
    score: {
      stage_summary: {
        total_in_bed_time_milli: millisecondsOf(row, "In bed duration (min)"),
        total_awake_time_milli: millisecondsOf(row, "Awake duration (min)"),
        total_no_data_time_milli: null,
        total_light_sleep_time_milli: millisecondsOf(row, "Light sleep duration (min)"),
        total_slow_wave_sleep_time_milli: millisecondsOf(row, "Deep (SWS) duration (min)"),
        total_rem_sleep_time_milli: millisecondsOf(row, "REM duration (min)"),
      },
      respiratory_rate: numberOf(row, "Respiratory rate (rpm)"),
      sleep_performance_percentage: numberOf(row, "Sleep performance %"),
      sleep_efficiency_percentage: numberOf(row, "Sleep efficiency %"),
    },
  };
}

const ZONES = ["one", "two", "three", "four", "five"] as const;

/** A row of `workouts.csv` as a workout. Zones are percentages of its duration; the rest is below the first zone. */
export function toWorkoutRecord(row: CsvRow): Workout | undefined {
  const [start, end] = [timeOf(row, "Workout start time"), timeOf(row, "Workout end time")];
  if (!start || !end) return undefined;
  const lengthMs = Date.parse(end) - Date.parse(start);
  const shares = ZONES.map((_, index) => numberOf(row, `HR Zone ${index + 1} %`));
  const known = shares.filter((share) => share !== null);
  const below = Math.max(0, 100 - known.reduce((sum, share) => sum + share, 0));
  const durations = [below, ...known].map((share) => Math.round((lengthMs * share) / 100));
  const names = ["zero", ...ZONES].map((name) => `zone_${name}_milli`);
  const zones = Object.fromEntries(names.map((name, index) => [name, durations[index] ?? 0]));
  return {
    id: `workout ${start}`,
    start,
    end,
    timezone_offset: offsetOf(row),
    sport_name: row["Activity name"]?.toLowerCase() || null,
    score_state: "SCORED",
    score: {
      average_heart_rate: numberOf(row, "Average HR (bpm)"),
      max_heart_rate: numberOf(row, "Max HR (bpm)"),
      kilojoule: kilojoulesOf(row),
      distance_meter: numberOf(row, "Distance (meters)"),
      altitude_gain_meter: numberOf(row, "Altitude gain (meters)"),
      zone_durations: known.length === ZONES.length ? zones : null,
    },
  };
}
