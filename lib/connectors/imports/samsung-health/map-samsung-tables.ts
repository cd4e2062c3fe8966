import { roundOrNull } from "../../nullable-numbers.ts";
import { parseSport } from "../../parse-sport.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome } from "../mapping-outcome.ts";
import { recorderOf } from "./samsung-export.ts";
import { parseSamsungOffset, parseSamsungTime, readMeasured, type SamsungRow } from "./samsung-row.ts";
import { exerciseTypes } from "./samsung-tables.ts";

/** Maps a blood pressure: mmHg. */
export function mapBloodPressure(row: SamsungRow): MappingOutcome[] {
  const time = parseSamsungTime(row.start_time);
  if (!time) return [BAD_DATE];
  const [systolic, diastolic] = [readMeasured(row, "systolic"), readMeasured(row, "diastolic")];
  if (!systolic || !diastolic) return [BAD_VALUE];
  const record = { timestamp: time.iso, timezone_offset: parseSamsungOffset(row.time_offset), systolic, diastolic };
  return toOutcomes([{ source_type: "cuff", ...recorderOf(row), resources: { blood_pressure: [record] } }]);
}

/** Maps an exercise: kcal, metres, m/s, bpm. */
export function mapExercise(row: SamsungRow): MappingOutcome[] {
  const [start, end] = [parseSamsungTime(row.start_time), parseSamsungTime(row.end_time)];
  if (!start || !end) return [BAD_DATE];
  const positive = (column: string) => readMeasured(row, column) || null;
  const workout = {
    provider_id: row.datauuid || `exercise ${start.ms}`,
    time_start: start.iso,
    time_end: end.iso,
    timezone_offset: parseSamsungOffset(row.time_offset),
    sport: parseSport(exerciseTypes[row.exercise_type ?? ""] ?? "workout"),
    calories: positive("calorie"),
    distance: positive("distance"),
    average_hr: roundOrNull(positive("mean_heart_rate")),
    max_hr: roundOrNull(positive("max_heart_rate")),
    average_speed: positive("mean_speed"),
    max_speed: positive("max_speed"),
    total_elevation_gain: positive("altitude_gain"),
  };
  return toOutcomes([{ source_type: "watch", ...recorderOf(row), resources: { workouts: [workout] } }]);
}

/** Maps a day: kcal, metres. Its time is the local midnight, written as if it were UTC. Samsung merges all devices. */
export function mapDay(row: SamsungRow): MappingOutcome[] {
  const time = parseSamsungTime(row.day_time);
  if (!time) return [BAD_DATE];
  const value = (column: string) => readMeasured(row, column) ?? null;
  const [steps, distance, calories] = [value("step_count"), value("distance"), value("calorie")];
  if (!steps && !distance && !calories) return [{ leftOut: "day without activity" }];
  const activity = {
    calendar_date: time.iso.slice(0, 10),
    steps: roundOrNull(steps),
    distance,
    calories_active: calories,
    floors_climbed: roundOrNull(value("floor_count")),
  };
  return toOutcomes([{ source_type: "multiple_sources", resources: { activity: [activity] } }]);
}
