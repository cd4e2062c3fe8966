/** A timeseries of the published API: its unit on the wire, and whether its samples are points or intervals. */
export interface PublishedTimeseries {
  readonly name: string;
  readonly unit: string;
  readonly kind: "point" | "interval";
  /** Whether the resource has an ungrouped form too. */
  readonly isPlain: boolean;
}

const intervals: Readonly<Record<string, string>> = {
  count:
    "steps wheelchair_push workout_swimming_stroke fall handwashing inhaler_usage sleep_apnea_alert " +
    "heart_rate_recovery_one_minute stand_hour heart_rate_alert sleep_breathing_disturbance",
  m: "distance workout_distance",
  kcal: "calories_active",
  min: "stand_duration daylight_exposure workout_duration",
  minutes: "mindfulness_minutes",
  "%": "afib_burden",
  index: "body_mass_index uv_exposure",
  kg: "lean_body_mass",
  cm: "waist_circumference",
  "°C": "body_temperature body_temperature_delta basal_body_temperature",
  L: "forced_expiratory_volume_1 forced_vital_capacity",
  "L/min": "peak_expiratory_flow_rate",
  unit: "insulin_injection",
  grams: "carbohydrates caffeine",
  text: "note",
  "mL/kg/min": "vo2_max",
  stage: "hypnogram",
};

const points: Readonly<Record<string, string>> = {
  count: "floors_climbed",
  kcal: "calories_basal",
  mL: "water",
  bpm: "heartrate respiratory_rate",
  rmssd: "hrv",
  "%": "blood_oxygen stress_level body_fat",
  "mmol/L": "glucose cholesterol",
  kg: "body_weight",
  FSU: "ige igg",
  mV: "electrocardiogram_voltage",
  mmHg: "blood_pressure",
};

const plain = new Set(
  (
    "steps floors_climbed distance calories_active calories_basal mindfulness_minutes caffeine water vo2_max heartrate " +
    "hrv respiratory_rate blood_oxygen stress_level glucose body_weight body_fat cholesterol ige igg " +
    "electrocardiogram_voltage blood_pressure hypnogram"
  ).split(" "),
);

const toPublishedTimeseries = (
  kind: "point" | "interval",
  byUnit: Readonly<Record<string, string>>,
): PublishedTimeseries[] =>
  Object.entries(byUnit).flatMap(([unit, names]) =>
    names.split(" ").map((name) => ({ name, unit, kind, isPlain: plain.has(name) })),
  );

/** Every timeseries of the published API, written out independently to check the registry. */
export const publishedTimeseries: readonly PublishedTimeseries[] = [
  ...toPublishedTimeseries("interval", intervals),
  ...toPublishedTimeseries("point", points),
];
