import { type Element, metadata } from "./element.ts";
import { spanOf } from "./export-date.ts";
import { BAD_DATE, BAD_VALUE, type Outcome, stableId } from "./outcome.ts";
import { sourceName, sourceTypeOf } from "./source-type.ts";
import { parseNumber, parseQuantity, toUnit } from "./unit-conversion.ts";

const ACTIVITY = "HKWorkoutActivityType";
const QUANTITY = "HKQuantityTypeIdentifier";

type Figure = "sum" | "average" | "maximum";

/** Maps a `<Workout>` to a summary. Separate records carry its samples, such as heart rate. */
export function mapWorkout(workout: Element): Outcome {
  const span = spanOf(workout);
  if (!span) return BAD_DATE;
  const { workoutActivityType: activity } = workout.attributes;
  if (!activity?.startsWith(ACTIVITY)) return BAD_VALUE;
  const { start, end, offsetS } = span;
  const provider_id = stableId(sourceName(workout), start.ms, end.ms, activity);
  const content = {
    provider_id,
    time_start: start.iso,
    time_end: end.iso,
    timezone_offset: offsetS,
    sport: sportOf(activity.slice(ACTIVITY.length)),
    moving_time: whole(total(workout, "duration", "s")),
    ...movement(workout),
  };
  return { send: { resource: "workouts", sourceType: sourceTypeOf(workout), key: provider_id, content } };
}

/** Reads the measurements: from `<WorkoutStatistics>` since iOS 16, from attributes of the workout before. */
function movement(workout: Element) {
  const statistic = (pattern: RegExp, figure: Figure, unit: string) => statistics(workout, pattern, figure, unit)[0];
  const distances = statistics(workout, /^Distance/, "sum", "m");
  return {
    distance: distances.length > 0 ? sumOf(distances) : total(workout, "totalDistance", "m"),
    calories: statistic(/^ActiveEnergyBurned$/, "sum", "kcal") ?? total(workout, "totalEnergyBurned", "kcal"),
    steps: whole(statistic(/^StepCount$/, "sum", "count")),
    average_hr: whole(statistic(/^HeartRate$/, "average", "bpm")),
    max_hr: whole(statistic(/^HeartRate$/, "maximum", "bpm")),
    average_speed:
      parseQuantity(metadata(workout, "HKAverageSpeed"), "m/s") ?? statistic(/Speed$/, "average", "m/s") ?? null,
    max_speed:
      parseQuantity(metadata(workout, "HKMaximumSpeed"), "m/s") ?? statistic(/Speed$/, "maximum", "m/s") ?? null,
    average_watts: statistic(/Power$/, "average", "W") ?? null,
    max_watts: statistic(/Power$/, "maximum", "W") ?? null,
    total_elevation_gain: parseQuantity(metadata(workout, "HKElevationAscended"), "m") ?? null,
  };
}

function statistics(workout: Element, pattern: RegExp, figure: Figure, unit: string): number[] {
  return workout.children.flatMap(({ name, attributes }) => {
    const { type = "", [figure]: text, unit: from = "" } = attributes;
    if (name !== "WorkoutStatistics" || !pattern.test(type.slice(QUANTITY.length))) return [];
    const value = parseNumber(text);
    return value === undefined ? [] : (toUnit(value, from, unit) ?? []);
  });
}

/** Reads an attribute and its unit, such as `totalDistance` and `totalDistanceUnit`; 0 means not measured. */
function total({ attributes }: Element, name: string, unit: string): number | null {
  const value = parseNumber(attributes[name]);
  return value ? (toUnit(value, attributes[`${name}Unit`] ?? "", unit) ?? null) : null;
}

const whole = (value: number | null | undefined): number | null => (value == null ? null : Math.round(value));

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Converts an activity name such as `TraditionalStrengthTraining` to a sport. */
function sportOf(activity: string) {
  const name = activity.replace(/(?<=[a-z])(?=[A-Z])/g, " ") || "Other";
  return { id: 0, name, slug: name.toLowerCase().replaceAll(" ", "_") };
}
