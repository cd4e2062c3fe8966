import type { Provider } from "./providers.ts";

/** Resources that each provider can deliver, by event name. */

const movement = ["steps", "distance", "calories_active", "calories_basal", "floors_climbed"];
const vitals = ["heartrate", "hrv", "respiratory_rate", "blood_oxygen"];
const composition = ["body", "weight", "fat"];
const glucose = ["glucose"];
const nutrition = ["meal", "water", "caffeine"];
const tracker = ["profile", "activity", "sleep", "workouts", "sleep_stream", ...movement, ...vitals];
const workouts = ["profile", "workouts", "workout_stream"];
const cuff = ["blood_pressure", "heartrate"];

/** Resources that a health store on the phone collects from many devices. */
const phone = [
  ...new Set([...tracker, ...composition, ...glucose, ...nutrition, ...cuff]),
  "workout_stream",
  "sleep_cycle",
  "menstrual_cycle",
  "electrocardiogram",
  "electrocardiogram_voltage",
  "vo2_max",
  "body_temperature",
  "basal_body_temperature",
  "mindfulness_minutes",
  "device",
];

const bySlug: Readonly<Record<string, readonly string[]>> = {
  oura: [...tracker, "stress_level", "vo2_max", "body_temperature_delta"],
  fitbit: [...tracker, ...composition, "meal", "water"],
  garmin: [...tracker, ...composition, ...cuff.slice(0, 1), "workout_stream", "stress_level", "vo2_max"],
  whoop: ["profile", "sleep", "workouts", "activity", "heartrate", "hrv"],
  whoop_v2: ["profile", "body", "sleep", "workouts", "activity", "hrv", "respiratory_rate", "blood_oxygen"],
  strava: workouts,
  renpho: composition,
  peloton: workouts,
  wahoo: workouts,
  zwift: workouts,
  freestyle_libre: glucose,
  abbott_libreview: glucose,
  tandem_source: [...glucose, "insulin_injection", "carbohydrates"],
  freestyle_libre_ble: glucose,
  eight_sleep: ["sleep", "sleep_stream", "heartrate", "hrv", "respiratory_rate"],
  withings: [...tracker, ...composition, "blood_pressure", "body_temperature", "electrocardiogram"],
  apple_health_kit: phone,
  manual: ["glucose", "weight", "fat", "blood_pressure", "note"],
  ihealth: [...composition, ...cuff, "glucose", "blood_oxygen", "activity", "sleep"],
  google_fit: ["activity", "sleep", "workouts", ...composition, ...movement, "heartrate"],
  beurer_api: cuff,
  beurer_ble: cuff,
  omron: cuff,
  omron_ble: [...cuff, "weight"],
  onetouch_ble: glucose,
  accuchek_ble: glucose,
  contour_ble: glucose,
  dexcom: glucose,
  dexcom_v3: [...glucose, "carbohydrates", "insulin_injection", "device"],
  hammerhead: workouts,
  my_fitness_pal: ["meal"],
  my_fitness_pal_v2: nutrition,
  health_connect: phone,
  samsung_health: phone,
  polar: [...tracker, "workout_stream", "body_temperature"],
  cronometer: [...nutrition, "weight"],
  kardia: ["electrocardiogram", "electrocardiogram_voltage", "blood_pressure"],
  ultrahuman: [...tracker, "glucose", "vo2_max", "body_temperature"],
  map_my_fitness: ["workouts", "workout_stream"],
  runkeeper: workouts,
  ride_with_gps: ["workouts", "workout_stream"],
  tidepool: [...glucose, "carbohydrates", "insulin_injection"],
  intervals_icu: [
    ...["workouts", "workout_stream", "activity", "body"],
    ...["hrv", "respiratory_rate", "blood_oxygen", "vo2_max"],
  ],
  google_health: [...tracker, ...composition, ...nutrition, "glucose", "vo2_max"],
  concept2: [...workouts, "body"],
  suunto: ["activity", "sleep", "workouts", "workout_stream", "heartrate", "hrv", "blood_oxygen"],
  hammerhead_v2: ["workouts", "workout_stream"],
};

/** Event names of a provider's data; every provider has `connection`. */
export function supportedResources({ slug }: Provider): string[] {
  return [...new Set(["connection", ...(bySlug[slug] ?? [])])];
}
