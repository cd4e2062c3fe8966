import { parseInstant } from "../../../domain/shared/instant.ts";
import { toNight } from "../../google-health/map.ts";
import { roundOrNull } from "../../nullable-numbers.ts";
import { parseSport } from "../../parse-sport.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { BAD_DATE, type MappingOutcome, stableId } from "../mapping-outcome.ts";

/** Names of activities that differ from the unified model. */
const sports: Readonly<Record<string, string>> = {
  biking: "cycling",
  "biking.mountain": "mountain biking",
  "biking.road": "road cycling",
  "biking.stationary": "indoor cycling",
  "running.treadmill": "treadmill running",
  "walking.treadmill": "treadmill walking",
  "swimming.open_water": "open water swimming",
};

/** Maps a session: a workout, or sleep whose segments are its stages. Public readers describe the files. */
export function mapSession(session: unknown): MappingOutcome[] {
  const { fitnessActivity, startTime, endTime, aggregate, segment } = Object(session);
  const [start, end] = [parseInstant(startTime), parseInstant(endTime)];
  if (!start || !end) return [BAD_DATE];
  const provider_id = stableId("google_fit", String(fitnessActivity), start.ms, end.ms);
  if (fitnessActivity === "sleep") {
    const interval = { startTime, startUtcOffset: start.offsetS, endTime, endUtcOffset: end.offsetS };
    const night = toNight(provider_id, { interval, stages: toStages(segment) });
    return toOutcomes([{ source_type: "phone", resources: night }]);
  }
  const total = (name: string): number | null => {
    const found: unknown = Array.isArray(aggregate) && aggregate.find((one) => Object(one).metricName === name);
    const { floatValue, intValue } = Object(found);
    const value: unknown = floatValue ?? intValue;
    return typeof value === "number" ? value : null;
  };
  const name = String(fitnessActivity ?? "workout");
  const workout = {
    provider_id,
    time_start: startTime,
    time_end: endTime,
    sport: parseSport(sports[name] ?? name),
    calories: total("com.google.calories.expended"),
    distance: total("com.google.distance.delta"),
    steps: roundOrNull(total("com.google.step_count.delta")),
    average_speed: total("com.google.speed.summary"),
  };
  return toOutcomes([{ source_type: "phone", resources: { workouts: [workout] } }]);
}

/** Segments such as `sleep.deep` as stages of Google Health. */
function toStages(segments: unknown) {
  if (!Array.isArray(segments)) return [];
  return segments.flatMap((one) => {
    const { fitnessActivity, startTime, endTime } = Object(one);
    const [, stage] = /^sleep\.(light|deep|rem|awake)$/.exec(String(fitnessActivity)) ?? [];
    const isTimed = typeof startTime === "string" && typeof endTime === "string";
    return stage && isTimed ? [{ startTime, endTime, type: stage.toUpperCase() }] : [];
  });
}
