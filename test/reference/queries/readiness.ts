import type { SourcePriorities } from "../../../lib/domain/queries/rows/rows.ts";
import { chronotypeOf, sleepScoreOf } from "./macros.ts";
import type { ReferenceRow } from "./reference-rows.ts";
import { keepBestSource } from "./source-priorities.ts";
import { DAY_MS } from "./wall-clock.ts";

/** Derived readiness, by the formulas in docs/query.md. */

const BASELINE_DAYS = 21;
const MIN_NIGHTS = 7;
const TARGET_SLEEP_S = 8 * 3600;

interface Night {
  readonly day: number;
  readonly row: ReferenceRow;
  readonly asleepS: number;
  readonly logHrv: number | null;
  readonly heartRate: number | null;
}

const between = (least: number, value: number, most: number) => Math.min(most, Math.max(least, value));

/** The long sleep of a date that counts. */
function nightOf(day: number, rows: readonly ReferenceRow[], priorities: SourcePriorities): Night | undefined {
  const best = keepBestSource(rows, priorities).toSorted(
    (a, b) =>
      Number(b.cells.stage_asleep_second) - Number(a.cells.stage_asleep_second) ||
      a.at - b.at ||
      a.span.from - b.span.from,
  );
  const [row] = best;
  if (!row) return undefined;
  const { hrv_mean_rmssd: hrv, heart_rate_resting: resting, heart_rate_minimum: lowest } = row.cells;
  const heartRate = resting ?? lowest;
  return {
    day,
    row,
    asleepS: Number(row.cells.stage_asleep_second),
    logHrv: typeof hrv === "number" ? Math.log(hrv) : null,
    heartRate: typeof heartRate === "number" ? heartRate : null,
  };
}

/** The distance of a signal from its baseline in standard deviations; null if either is missing. */
function deviationScore(
  value: number | null,
  baseline: readonly (number | null)[],
  leastDeviation: number,
): number | null {
  const known = baseline.filter((each) => each !== null);
  if (value === null || known.length < MIN_NIGHTS) return null;
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length;
  const squares = known.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const deviation = Math.max(leastDeviation, Math.sqrt(squares / (known.length - 1)));
  return between(-3, (value - mean) / deviation, 3);
}

function recoveryOf(night: Night, nights: readonly Night[]): number | null {
  const before = nights.filter(({ day }) => day < night.day && day >= night.day - BASELINE_DAYS * DAY_MS);
  const hrv = deviationScore(
    night.logHrv,
    before.map(({ logHrv }) => logHrv),
    0.05,
  );
  const heartRate = deviationScore(
    night.heartRate,
    before.map((each) => each.heartRate),
    1,
  );
  if (hrv === null || heartRate === null) return null;
  const hours = between(-2, (night.asleepS - TARGET_SLEEP_S) / 3600, 2);
  return Math.round(100 / (1 + Math.exp(-(hrv - 0.6 * heartRate + 0.4 * hours))));
}

function strainOf(recovery: number, asleepS: number): number {
  const load = (0.7 * Math.max(0, 50 - recovery)) / 50 + (0.3 * Math.max(0, TARGET_SLEEP_S - asleepS)) / TARGET_SLEEP_S;
  return Math.round((210 * (1 - Math.exp(-3 * load))) / (1 - Math.exp(-3))) / 10;
}

/** The name of the first zone whose upper bound is not exceeded. */
const zoneOf = (value: number, zones: readonly (readonly [string, number])[]) =>
  zones.find(([, bound]) => value <= bound)?.[0] ?? null;

function rowOf(night: Night, nights: readonly Night[]): ReferenceRow {
  const { day, row } = night;
  const recovery = recoveryOf(night, nights);
  const strain = recovery === null ? null : strainOf(recovery, night.asleepS);
  const strainZones = [
    ["Low", 6.9],
    ["Moderate", 13.9],
    ["High", 17.9],
    ["Very High", 21],
  ] as const;
  const cells = {
    ...Object.fromEntries(Object.entries(row.cells).filter(([name]) => name.startsWith("source_"))),
    date: new Date(day).toISOString().slice(0, 10),
    chronotype: chronotypeOf(row),
    sleep_score: sleepScoreOf(row),
    recovery_score: recovery,
    recovery_zone:
      recovery === null
        ? null
        : zoneOf(recovery, [
            ["Red", 33],
            ["Amber", 66],
            ["Green", 100],
          ]),
    stress_score: recovery === null ? null : 100 - recovery,
    strain_score: strain,
    strain_zone: strain === null ? null : zoneOf(strain, strainZones),
  };
  return { ...row, at: day, shown: day, span: { from: day, to: day + DAY_MS }, kind: "measure", instants: {}, cells };
}

/** Returns one row for each date with a long sleep. */
export function readinessRows(sleeps: readonly ReferenceRow[], priorities: SourcePriorities): ReferenceRow[] {
  const long = sleeps.filter(({ cells }) => cells.type === "long_sleep");
  const byDate = Map.groupBy(long, ({ cells }) => Date.parse(String(cells.calendar_date)));
  const nights = [...byDate].flatMap(([day, rows]) => nightOf(day, rows, priorities) ?? []);
  return nights.map((night) => rowOf(night, nights));
}
