import { roundOrNull } from "../../nullable-numbers.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, stableId } from "../mapping-outcome.ts";
import { parseNumber } from "../reading/parse-number.ts";
import { type Element, metadataValue } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { readSource, sourceName } from "./record-source.ts";
import { convertUnit, parseQuantity } from "./unit-conversion.ts";

const ACTIVITY = "HKWorkoutActivityType";
const QUANTITY = "HKQuantityTypeIdentifier";

type StatisticKind = "sum" | "average" | "maximum";

/** Maps a `<Workout>` to a summary. Separate records carry its samples, such as heart rate. */
export function mapWorkout(workout: Element): MappingOutcome {
  const span = readInterval(workout);
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
    sport: toSport(activity.slice(ACTIVITY.length)),
    moving_time: roundOrNull(readTotal(workout, "duration", "s")),
    ...toMeasurements(workout),
  };
  return { send: { resource: "workouts", source: readSource(workout), key: provider_id, content } };
}

/** Reads the measurements: from `<WorkoutStatistics>` since iOS 16, from attributes of the workout before. */
function toMeasurements(workout: Element) {
  const statistic = (pattern: RegExp, figure: StatisticKind, unit: string) =>
    readStatistics(workout, pattern, figure, unit)[0];
  const distances = readStatistics(workout, /^Distance/, "sum", "m");
  return {
    distance: distances.length > 0 ? sumValues(distances) : readTotal(workout, "totalDistance", "m"),
    calories: statistic(/^ActiveEnergyBurned$/, "sum", "kcal") ?? readTotal(workout, "totalEnergyBurned", "kcal"),
    steps: roundOrNull(statistic(/^StepCount$/, "sum", "count")),
    average_hr: roundOrNull(statistic(/^HeartRate$/, "average", "bpm")),
    max_hr: roundOrNull(statistic(/^HeartRate$/, "maximum", "bpm")),
    average_speed:
      parseQuantity(metadataValue(workout, "HKAverageSpeed"), "m/s") ?? statistic(/Speed$/, "average", "m/s") ?? null,
    max_speed:
      parseQuantity(metadataValue(workout, "HKMaximumSpeed"), "m/s") ?? statistic(/Speed$/, "maximum", "m/s") ?? null,
    average_watts: statistic(/Power$/, "average", "W") ?? null,
    max_watts: statistic(/Power$/, "maximum", "W") ?? null,
    total_elevation_gain: parseQuantity(metadataValue(workout, "HKElevationAscended"), "m") ?? null,
  };
}

function readStatistics(workout: Element, pattern: RegExp, figure: StatisticKind, unit: string): number[] {
  return workout.children.flatMap(({ name, attributes }) => {
    const { type = "", [figure]: text, unit: from = "" } = attributes;
    if (name !== "WorkoutStatistics" || !pattern.test(type.slice(QUANTITY.length))) return [];
    const value = parseNumber(text);
    return value === undefined ? [] : (convertUnit(value, from, unit) ?? []);
  });
}

/** Reads an attribute and its unit, such as `totalDistance` and `totalDistanceUnit`; 0 means not measured. */
function readTotal({ attributes }: Element, name: string, unit: string): number | null {
  const value = parseNumber(attributes[name]);
  return value ? (convertUnit(value, attributes[`${name}Unit`] ?? "", unit) ?? null) : null;
}

const sumValues = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** Converts an activity name such as `TraditionalStrengthTraining` to a sport. */
function toSport(activity: string) {
  const name = activity.replace(/(?<=[a-z])(?=[A-Z])/g, " ") || "Other";
  return { id: 0, name, slug: name.toLowerCase().replaceAll(" ", "_") };
}
