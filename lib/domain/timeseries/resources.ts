import {
  choice,
  choices,
  interval,
  measure,
  point,
  requiredSubtype,
  requiredType,
  type TimeseriesResource,
} from "./resource.ts";

const MINUTE = 60_000;
const HALF_HOUR = 30 * MINUTE;
const DAY = 24 * 60 * MINUTE;
/** For a few values a day at most (about 8 bytes each). */
const MONTH = 32 * DAY;

const PLAIN = { plain: true } as const;
const NO_LIMIT = 1_000_000;
const PERCENT = [0, 100] as const;
const MINUTES_OF_A_WEEK = [0, 7 * 24 * 60] as const;

const sensorLocation = choice(
  "sensor_location",
  "armpit",
  "body",
  "ear",
  "finger",
  "gastrointestinal",
  "mouth",
  "rectum",
  "toe",
  "eardrum",
  "temporal_artery",
  "forehead",
  "wrist",
);

const insulinFields = [
  choice("delivery_mode", "basal", "bolus"),
  choice("delivery_form", "standard", "extended"),
  choice("bolus_purpose", "meal", "correction", "mixed", "unknown"),
];

/** Cholesterol types. Each also has its own ungrouped path. */
export const cholesterolTypes = ["ldl", "hdl", "total", "triglycerides"] as const;

const alertTypes = requiredType("low_heart_rate", "high_heart_rate", "irregular_rhythm");
const noteTags = choices("tags", "food", "exercise", "insulin_injection", "unspecified");

/**
 * Every timeseries resource: name, unit, plausible bounds, bucket width. Names, units and kinds follow the public API.
 * Bucket widths assume at most: heart rate every 5 s; voltages as whole recordings, written once (hence larger than 1
 * KB); minute buckets for movement; glucose every minute; oxygen and stress every few minutes; nights of sleep stages;
 * all others a few values a day.
 */
export const timeseriesResources = [
  interval("steps", "count", [0, 100_000], DAY, PLAIN),
  interval("wheelchair_push", "count", [0, 100_000], DAY),
  interval("workout_swimming_stroke", "count", [0, 100_000], DAY),
  interval("fall", "count", [0, 1_000], MONTH),
  interval("handwashing", "count", [0, 1_000], 16 * DAY),
  interval("inhaler_usage", "count", [0, 1_000], MONTH),
  interval("sleep_apnea_alert", "count", [0, 1_000], MONTH),
  interval("heart_rate_recovery_one_minute", "count", [-200, 300], MONTH),
  point("floors_climbed", "count", [0, 10_000], DAY, PLAIN),
  interval("distance", "m", [0, NO_LIMIT], DAY / 2, PLAIN),
  interval("workout_distance", "m", [0, NO_LIMIT], DAY / 2),
  interval("calories_active", "kcal", [0, 50_000], DAY / 2, PLAIN),
  point("calories_basal", "kcal", [0, 50_000], DAY / 2, PLAIN),
  interval("stand_duration", "min", MINUTES_OF_A_WEEK, 4 * DAY),
  interval("daylight_exposure", "min", MINUTES_OF_A_WEEK, 4 * DAY),
  interval("workout_duration", "min", MINUTES_OF_A_WEEK, 16 * DAY, {
    fields: [choice("intensity", "low", "medium", "high")],
  }),
  interval("mindfulness_minutes", "minutes", MINUTES_OF_A_WEEK, MONTH, PLAIN),
  interval("stand_hour", "count", [0, 24], 16 * DAY, { type: requiredType("stood", "idle") }),
  interval("heart_rate_alert", "count", [1, 1], MONTH, { value: "integer", type: alertTypes }),
  interval("sleep_breathing_disturbance", "count", [0, 1_000], MONTH, {
    type: { values: ["elevated", "not_elevated"], required: false, identity: false },
  }),
  interval("afib_burden", "%", PERCENT, MONTH),
  interval("body_mass_index", "index", [1, 500], MONTH),
  interval("uv_exposure", "index", [0, 100], 4 * DAY),
  interval("lean_body_mass", "kg", [0.1, 1_000], MONTH),
  interval("waist_circumference", "cm", [1, 1_000], MONTH),
  interval("body_temperature", "°C", [0, 60], 4 * DAY, { fields: [sensorLocation] }),
  interval("body_temperature_delta", "°C", [-40, 40], 4 * DAY, { fields: [sensorLocation] }),
  interval("basal_body_temperature", "°C", [20, 50], MONTH),
  interval("forced_expiratory_volume_1", "L", [0, 20], MONTH),
  interval("forced_vital_capacity", "L", [0, 20], MONTH),
  interval("peak_expiratory_flow_rate", "L/min", [0, 2_000], MONTH),
  interval("insulin_injection", "unit", [0, 1_000], 4 * DAY, {
    type: requiredType("rapid_acting", "long_acting"),
    fields: insulinFields,
  }),
  interval("carbohydrates", "grams", [0, 10_000], 16 * DAY),
  interval("caffeine", "grams", [0, 100], 16 * DAY, PLAIN),
  point("water", "mL", [0, 50_000], 16 * DAY, PLAIN),
  interval("note", "text", [1, 4_096], HALF_HOUR, { value: "string", fields: [noteTags] }),
  interval("vo2_max", "mL/kg/min", [1, 150], MONTH, PLAIN),
  point("heartrate", "bpm", [10, 400], HALF_HOUR, PLAIN),
  point("hrv", "rmssd", [0, 2_000], DAY, PLAIN),
  point("respiratory_rate", "bpm", [1, 200], DAY, PLAIN),
  point("blood_oxygen", "%", PERCENT, 4 * DAY, PLAIN),
  point("stress_level", "%", PERCENT, 2 * DAY, PLAIN),
  point("glucose", "mmol/L", [0.1, 200], DAY, PLAIN),
  point("body_weight", "kg", [0.2, 1_000], MONTH, { ...PLAIN, eventName: "weight" }),
  point("body_fat", "%", PERCENT, MONTH, { ...PLAIN, eventName: "fat" }),
  point("cholesterol", "mmol/L", [0, 200], MONTH, { ...PLAIN, type: requiredSubtype(...cholesterolTypes) }),
  point("ige", "FSU", [0, NO_LIMIT], MONTH, { ...PLAIN, type: requiredSubtype() }),
  point("igg", "FSU", [0, NO_LIMIT], MONTH, { ...PLAIN, type: requiredSubtype() }),
  point("electrocardiogram_voltage", "mV", [-100, 100], MINUTE, { ...PLAIN, type: requiredSubtype() }),
  point("blood_pressure", "mmHg", [0, 0], MONTH, {
    ...PLAIN,
    value: "none",
    fields: [measure("systolic", [10, 500]), measure("diastolic", [5, 400])],
  }),
  interval("hypnogram", "stage", [-1, 5], 14 * DAY, { ...PLAIN, value: "integer" }),
] as const;

/** Name of a resource in REST paths. */
export type ResourceName = (typeof timeseriesResources)[number]["name"];

/** Name of a resource in event types. */
export type ResourceEventName = (typeof timeseriesResources)[number]["eventName"];

/** One of {@link timeseriesResources}. */
export type KnownResource = TimeseriesResource<ResourceName, ResourceEventName>;

/** Names of all resources, for grouped reads. */
export const resourceNames: readonly ResourceName[] = timeseriesResources.map(({ name }) => name);

/** Names of the resources that also support ungrouped reads. */
export const ungroupedResourceNames = timeseriesResources.filter(({ plain }) => plain).map(({ name }) => name);

const byName = new Map<string, KnownResource>(timeseriesResources.map((resource) => [resource.name, resource]));

/** Finds a resource by its name in REST paths. */
export function findResource(name: string): KnownResource | undefined {
  return byName.get(name);
}

/** The resource of a known name. */
export function getResource(name: ResourceName): KnownResource {
  return byName.get(name)!;
}

const byEventName = new Map<string, KnownResource>(timeseriesResources.map((one) => [one.eventName, one]));

/** Finds a resource by its name in event types. */
export function findResourceByEventName(eventName: string): KnownResource | undefined {
  return byEventName.get(eventName);
}
