import type { SummaryName } from "../summaries/summary-names.ts";
import type { Category, Measure, ObservationMeasure } from "./measure.ts";

/** A kind of summary that becomes Observations. Devices become Device resources. */
export type ObservedSummary = Exclude<SummaryName, "devices">;

/** A field of a summary and its meaning. */
interface FieldMeasure extends Measure {
  /** Path of the field, such as `heart_rate.resting_bpm`. */
  readonly field: string;
}

/** One Observation of a summary. It exists if its field has a value; without a field, always. */
export interface SummaryRow extends ObservationMeasure {
  readonly kind: ObservedSummary;
  readonly field?: string;
  /** Numbers in components. */
  readonly parts: readonly FieldMeasure[];
  /** Fields with one of several values, in components. */
  readonly choices: readonly string[];
  /** Fields with text, in components. */
  readonly texts: readonly string[];
}

/** Spellings of UCUM codes in the ordinary API, where they differ. */
const units: Readonly<Record<string, string>> = { "/min": "bpm", Cel: "°C", "{count}": "count", ug: "µg" };

/** Unit and UCUM code of a measure; none for a score or index without a unit. */
export const unitOf = (ucum: string | null) => (ucum === null ? {} : { unit: units[ucum] ?? ucum, ucum });

type Rest = Partial<Pick<SummaryRow, "parts" | "choices" | "texts">>;

const row =
  (kind: ObservedSummary, category: Category) =>
  (
    code: string,
    field: string | null,
    text: string,
    ucum: string | null,
    loinc: readonly string[] = [],
    rest: Rest = {},
  ) => ({
    kind,
    category,
    code: code === "" ? kind : `${kind}.${code}`,
    ...(field === null ? {} : { field }),
    text,
    loinc,
    ...unitOf(ucum),
    parts: [],
    choices: [],
    texts: [],
    ...rest,
  });

const part =
  (kind: ObservedSummary) =>
  (field: string, text: string, ucum: string | null, loinc: readonly string[] = []): FieldMeasure => ({
    field,
    code: `${kind}.${field}`,
    text,
    loinc,
    ...unitOf(ucum),
  });

const activity = row("activity", "activity");
const activityHeartRate = row("activity", "vital-signs");
const body = row("body", "vital-signs");
const ofSleep = part("sleep");
const ofWorkout = part("workouts");
const ofEcg = part("electrocardiogram");
const count = "{count}";

const sleepParts = [
  ofSleep("duration", "Length of the sleep period", "s"),
  ofSleep("awake", "Awake", "s"),
  ofSleep("light", "Light sleep", "s", ["93830-8"]),
  ofSleep("rem", "REM sleep", "s", ["93829-0"]),
  ofSleep("deep", "Deep sleep", "s", ["93831-6"]),
  ofSleep("latency", "Time to fall asleep", "s"),
  ofSleep("efficiency", "Share of the period asleep", "%"),
  ofSleep("score", "Sleep score", null),
  ofSleep("recovery_readiness_score", "Recovery or readiness score", null),
  ofSleep("hr_lowest", "Lowest heart rate", "/min"),
  ofSleep("hr_average", "Mean heart rate", "/min"),
  ofSleep("hr_resting", "Resting heart rate", "/min", ["40443-4"]),
  ofSleep("hr_dip", "Drop of the sleeping heart rate", "%"),
  ofSleep("average_hrv", "Mean heart rate variability (RMSSD)", "ms"),
  ofSleep("respiratory_rate", "Respiratory rate", "/min", ["9279-1"]),
  ofSleep("temperature_delta", "Deviation of the skin temperature", "Cel"),
  ofSleep("skin_temperature", "Skin temperature", "Cel"),
];

const workoutParts = [
  ofWorkout("moving_time", "Time in motion", "s"),
  ofWorkout("distance", "Distance", "m"),
  ofWorkout("calories", "Energy", "kcal", ["41981-2"]),
  ofWorkout("steps", "Steps", count, ["55423-8"]),
  ofWorkout("average_hr", "Mean heart rate", "/min"),
  ofWorkout("max_hr", "Highest heart rate", "/min"),
  ofWorkout("total_elevation_gain", "Elevation gain", "m"),
  ofWorkout("elev_high", "Highest point", "m"),
  ofWorkout("elev_low", "Lowest point", "m"),
  ofWorkout("average_speed", "Mean speed", "m/s"),
  ofWorkout("max_speed", "Highest speed", "m/s"),
  ofWorkout("average_watts", "Mean power", "W"),
  ofWorkout("device_watts", "Power measured by the device", "W"),
  ofWorkout("max_watts", "Highest power", "W"),
  ofWorkout("weighted_average_watts", "Weighted mean power", "W"),
];

const ecgParts = [
  ofEcg("heart_rate_mean", "Mean heart rate", "/min"),
  ofEcg("sampling_frequency_hz", "Sampling frequency", "Hz"),
  ofEcg("voltage_sample_count", "Recorded voltages", count),
];

/**
 * Every kind of summary as Observations: measures of a day one by one, and sessions with components. LOINC codes are from
 * the same sources as those of samples.
 */
export const summaryRows: readonly SummaryRow[] = [
  activity("steps", "steps", "Steps of a day", count, ["41950-7"]),
  activity("calories_total", "calories_total", "Energy of a day", "kcal", ["41979-6"]),
  activity("calories_active", "calories_active", "Active energy of a day", "kcal"),
  activity("distance", "distance", "Distance of a day", "m"),
  activity("daily_movement", "daily_movement", "Movement of a day", "m"),
  activity("low", "low", "Light activity of a day", "min"),
  activity("medium", "medium", "Moderate activity of a day", "min"),
  activity("high", "high", "Vigorous activity of a day", "min"),
  activity("floors_climbed", "floors_climbed", "Floors climbed on a day", count),
  activity("wheelchair_push", "wheelchair_push", "Wheelchair pushes of a day", count),
  activityHeartRate("hr_mean", "heart_rate.avg_bpm", "Mean heart rate of a day", "/min", ["41924-2"]),
  activityHeartRate("hr_min", "heart_rate.min_bpm", "Lowest heart rate of a day", "/min"),
  activityHeartRate("hr_max", "heart_rate.max_bpm", "Highest heart rate of a day", "/min", ["8873-2"]),
  activityHeartRate("hr_resting", "heart_rate.resting_bpm", "Resting heart rate", "/min", ["40443-4"]),
  activityHeartRate("hr_walking", "heart_rate.avg_walking_bpm", "Mean heart rate while walking", "/min"),
  body("weight", "weight", "Body weight", "kg", ["29463-7"]),
  body("fat", "fat", "Body fat", "%", ["41982-0"]),
  body("water", "water_percentage", "Body water", "%"),
  body("muscle", "muscle_mass_percentage", "Muscle mass", "%", ["73965-6"]),
  body("visceral_fat", "visceral_fat_index", "Visceral fat index", null),
  body("bone", "bone_mass_percentage", "Bone mass", "%"),
  body("bmi", "body_mass_index", "Body mass index", "kg/m2", ["39156-5"]),
  body("lean_mass", "lean_body_mass_kilogram", "Lean body mass", "kg", ["91557-9"]),
  body("waist", "waist_circumference_centimeter", "Waist circumference", "cm"),
  row("profile", "vital-signs")("height", "height", "Body height", "cm", ["8302-2"]),
  row("sleep", "activity")("", "total", "Time asleep", "s", ["93832-4"], { parts: sleepParts, choices: ["type"] }),
  row("workouts", "activity")("", null, "Workout", null, ["73985-4"], { parts: workoutParts, texts: ["title"] }),
  row("meal", "survey")("", null, "Meal", "kcal", ["9052-2"], { texts: ["name"] }),
  row("electrocardiogram", "exam")("", null, "Electrocardiogram", null, [], {
    parts: ecgParts,
    choices: ["inconclusive_cause"],
    texts: ["algorithm_version", "source_device_model"],
  }),
  row("menstrual_cycle", "survey")("", null, "Menstrual cycle", null),
  row("sleep_cycle", "activity")("", null, "Sleep stages", null),
];
