import { roundOrNull } from "../../nullable-numbers.ts";
import { parseSport } from "../../parse-sport.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";
import { toIsoTime } from "./stamped-item.ts";

/**
 * Maps a row of `UserExercises_*.csv`, whose columns public readers name: kcal, and millimetres to metres. Undefined
 * without an id or a time.
 */
export function toExercise(row: CsvRow) {
  const { exercise_id: id, exercise_start: start, exercise_end: end, utc_offset: offset, activity_name: name } = row;
  if (!id || !start || !end) return undefined;
  // Zero means not measured.
  const tracked = (column: string) => parseNumber(row[`tracker_${column}`]) || null;
  const metres = (column: string) => {
    const millimetres = tracked(column);
    return millimetres === null ? null : millimetres / 1000;
  };
  return {
    provider_id: id,
    title: name || null,
    time_start: toIsoTime(start, offset),
    time_end: toIsoTime(end, offset),
    sport: parseSport(name || "workout"),
    calories: tracked("total_calories"),
    distance: metres("total_distance_mm"),
    total_elevation_gain: metres("total_altitude_mm"),
    average_speed: metres("avg_speed_mm_per_second"),
    max_speed: metres("peak_speed_mm_per_second"),
    average_hr: roundOrNull(tracked("avg_heart_rate")),
    max_hr: roundOrNull(tracked("peak_heart_rate")),
    steps: roundOrNull(tracked("total_steps")),
  };
}
