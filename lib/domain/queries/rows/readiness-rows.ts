import { HOUR_S } from "../../shared/durations.ts";
import { dateToDay, dayToDate } from "../../shared/local-day.ts";
import type { CellValue, RowSource, SummaryRow } from "./rows.ts";
import { sleepScore } from "./sleep-macros.ts";

/** The table `derived_readiness`: one row per day with a long sleep (docs/query.md, Readiness). */

/** Number of nights before a day that form its baseline, and the minimum number with data. */
export const BASELINE_DAYS = 21;
const MIN_BASELINE_NIGHTS = 7;
const TARGET_SLEEP_S = 8 * 3_600;
/** Weights of the three signals: per standard deviation for HRV and heart rate, per hour for sleep. */
const SIGNAL_WEIGHTS = { hrv: 1.0, heartRate: 0.6, sleep: 0.4 } as const;
const MAX_DEVIATIONS = 3;
const MAX_SLEEP_DIFFERENCE_HOURS = 2;
/** Minimum standard deviations: of the logarithm of HRV, and of the heart rate in bpm. */
const MIN_STANDARD_DEVIATION = { hrv: 0.05, heartRate: 1 } as const;
const NEUTRAL_RECOVERY = 50;
const MAX_STRAIN = 21;
const STRAIN_STEEPNESS = 3;

/** One night as input of the readiness scores. */
export interface Night {
  readonly row: SummaryRow;
  readonly date: string;
  readonly chronotype: CellValue;
}

/** Turns nights, one per date, into rows of the table. */
export function readinessRows(nights: readonly Night[]): SummaryRow[] {
  const byDay = new Map(nights.map((night) => [dateToDay(night.date), night]));
  return [...byDay].map(([day, night]) => {
    const before = Array.from({ length: BASELINE_DAYS }, (_, back) => byDay.get(day - 1 - back)).flatMap(
      (one) => one ?? [],
    );
    return scoreNight(dayToDate(day), night, before);
  });
}

function scoreNight(
  date: string,
  { row, chronotype }: Night,
  before: readonly Night[],
): SummaryRow & { source: RowSource } {
  const recovery = recoveryScore(row, before);
  const strain = recovery === null ? null : strainScore(recovery, asleepS(row));
  return {
    source: row.source,
    date,
    chronotype,
    sleep_score: sleepScore(row),
    recovery_score: recovery,
    recovery_zone: zoneName(recovery, [34, "Red"], [67, "Amber"], [Number.POSITIVE_INFINITY, "Green"]),
    stress_score: recovery === null ? null : 100 - recovery,
    strain_score: strain,
    strain_zone: zoneName(strain, [7, "Low"], [14, "Moderate"], [18, "High"], [Number.POSITIVE_INFINITY, "Very High"]),
  };
}

const number = (value: unknown): number | null => (typeof value === "number" ? value : null);
const asleepS = (row: SummaryRow) => number(row.total);
/** HRV enters as a logarithm, so that changes count by ratio. */
const logHrv = (row: SummaryRow) => {
  const hrv = number(row.average_hrv);
  return hrv !== null && hrv > 0 ? Math.log(hrv) : null;
};
const restingHeartRate = (row: SummaryRow) => number(row.hr_resting) ?? number(row.hr_lowest);

/**
 * Recovery score, 0 to 100 on a logistic curve; 50 is a usual night of eight hours. Null without both signals or
 * without a baseline.
 */
function recoveryScore(row: SummaryRow, before: readonly Night[]): number | null {
  const rows = before.map((night) => night.row);
  const hrv = standardScore(logHrv(row), rows.map(logHrv), MIN_STANDARD_DEVIATION.hrv);
  const heartRate = standardScore(restingHeartRate(row), rows.map(restingHeartRate), MIN_STANDARD_DEVIATION.heartRate);
  if (hrv === null || heartRate === null) return null;
  const hours = ((asleepS(row) ?? TARGET_SLEEP_S) - TARGET_SLEEP_S) / HOUR_S;
  const signal =
    SIGNAL_WEIGHTS.hrv * hrv -
    SIGNAL_WEIGHTS.heartRate * heartRate +
    SIGNAL_WEIGHTS.sleep * clamp(hours, MAX_SLEEP_DIFFERENCE_HOURS);
  return Math.round(100 / (1 + Math.exp(-signal)));
}

/** Standard score of a value against earlier values. Null with fewer than 7 earlier values. */
function standardScore(value: number | null, before: readonly (number | null)[], leastSpread: number): number | null {
  const known = before.filter((one) => one !== null);
  if (value === null || known.length < MIN_BASELINE_NIGHTS) return null;
  const mean = known.reduce((all, one) => all + one, 0) / known.length;
  const variance = known.reduce((all, one) => all + (one - mean) ** 2, 0) / (known.length - 1);
  return clamp((value - mean) / Math.max(Math.sqrt(variance), leastSpread), MAX_DEVIATIONS);
}

/**
 * Strain score, 0 to 21 with one decimal and diminishing growth: 70 % from recovery below 50, 30 % from sleep below 8
 * hours.
 */
function strainScore(recovery: number, sleepS: number | null): number | null {
  if (sleepS === null) return null;
  const load =
    0.7 * Math.max(0, (NEUTRAL_RECOVERY - recovery) / NEUTRAL_RECOVERY) +
    0.3 * Math.max(0, (TARGET_SLEEP_S - sleepS) / TARGET_SLEEP_S);
  const strain = (MAX_STRAIN * (1 - Math.exp(-STRAIN_STEEPNESS * load))) / (1 - Math.exp(-STRAIN_STEEPNESS));
  return Math.round(strain * 10) / 10;
}

const clamp = (value: number, most: number) => Math.min(most, Math.max(-most, value));

/** Name of the first zone whose exclusive upper bound lies above the score. */
function zoneName(score: number | null, ...zones: [end: number, name: string][]): string | null {
  return score === null ? null : (zones.find(([end]) => score < end)?.[1] ?? null);
}
