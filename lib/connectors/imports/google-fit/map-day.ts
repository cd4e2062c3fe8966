import { roundOrNull } from "../../nullable-numbers.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { BAD_DATE, type MappingOutcome } from "../mapping-outcome.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";

/** Maps a day of `Daily activity metrics.csv`: kcal with basal metabolism, metres, bpm, kg, by its column names. */
export function mapDay(row: CsvRow): MappingOutcome[] {
  const calendar_date = row.Date;
  if (!/^\d{4}-\d\d-\d\d$/.test(calendar_date ?? "")) return [BAD_DATE];
  const number = (name: string) => parseNumber(row[name]) ?? null;
  const [steps, distance, calories] = [number("Step count"), number("Distance (m)"), number("Calories (kcal)")];
  const bpm = {
    avg_bpm: number("Average heart rate (bpm)"),
    min_bpm: number("Min heart rate (bpm)"),
    max_bpm: number("Max heart rate (bpm)"),
  };
  const weight = number("Average weight (kg)");
  const hasActivity = steps !== null || distance !== null || calories !== null;
  const activity = {
    calendar_date,
    steps: roundOrNull(steps),
    distance,
    calories_total: calories,
    heart_rate: Object.values(bpm).every((one) => one === null) ? null : { ...bpm, resting_bpm: null },
  };
  return toOutcomes([
    { source_type: "phone", resources: { activity: hasActivity ? [activity] : [] } },
    { source_type: "scale", resources: { body: weight === null ? [] : [{ calendar_date, weight }] } },
  ]);
}
