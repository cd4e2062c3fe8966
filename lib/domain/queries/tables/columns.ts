/** Type of a column. `list` is a list of objects, which only a sub-query can read. */
export type ColumnType = "number" | "text" | "boolean" | "date" | "instant" | "list";

type Columns = Readonly<Record<string, ColumnType>>;

const typed = <const Names extends readonly string[]>(type: ColumnType, names: Names) =>
  Object.fromEntries(names.map((name) => [name, type])) as Record<Names[number], ColumnType>;

const source = typed("text", ["source_type", "source_provider", "source_app_id", "source_device_id"]);

const sleep = {
  ...typed("text", ["id", "state", "type"]),
  ...typed("instant", ["session_start", "session_end"]),
  ...typed("number", ["duration_second", "stage_asleep_second", "stage_awake_second", "stage_light_second"]),
  ...typed("number", ["stage_rem_second", "stage_deep_second", "stage_unknown_second", "latency_second"]),
  ...typed("number", ["heart_rate_minimum", "heart_rate_mean", "heart_rate_maximum", "heart_rate_dip"]),
  ...typed("number", ["heart_rate_resting", "efficiency", "hrv_mean_rmssd", "hrv_mean_sdnn", "skin_temperature"]),
  ...typed("number", ["skin_temperature_delta", "respiratory_rate", "score", "recovery_readiness_score"]),
  ...source,
  time_zone: "text",
} as const satisfies Columns;

const activity = {
  date: "date",
  ...typed("number", ["calories_total", "calories_active", "steps", "distance_meter", "floors_climbed"]),
  ...typed("number", ["duration_active_second", "intensity_sedentary_second", "intensity_low_second"]),
  ...typed("number", ["intensity_medium_second", "intensity_high_second", "heart_rate_mean", "heart_rate_minimum"]),
  ...typed("number", ["heart_rate_maximum", "heart_rate_resting", "heart_rate_mean_walking", "wheelchair_push"]),
  wheelchair_use: "boolean",
  ...source,
  time_zone: "text",
  time_zone_offset: "number",
} as const satisfies Columns;

const workout = {
  ...typed("instant", ["session_start", "session_end"]),
  ...typed("text", ["title", "sport_name", "sport_slug", "map_polyline", "map_summary_polyline", "external_id"]),
  ...typed("number", ["duration_active_second", "heart_rate_mean", "heart_rate_minimum", "heart_rate_maximum"]),
  ...typed("number", ["heart_rate_zone_1", "heart_rate_zone_2", "heart_rate_zone_3", "heart_rate_zone_4"]),
  ...typed("number", ["heart_rate_zone_5", "heart_rate_zone_6", "distance_meter", "calories", "steps"]),
  ...typed("number", ["elevation_gain_meter", "elevation_maximum_meter", "elevation_minimum_meter"]),
  ...typed("number", ["speed_mean", "speed_maximum", "power_mean", "power_maximum", "power_weighted_mean"]),
  power_source: "text",
  ...source,
  time_zone: "text",
} as const satisfies Columns;

const body = {
  measured_at: "instant",
  ...typed("number", ["weight_kilogram", "fat_mass_percentage", "water_percentage", "muscle_mass_percentage"]),
  ...typed("number", ["visceral_fat_index", "bone_mass_percentage", "body_mass_index", "lean_body_mass_kilogram"]),
  waist_circumference_centimeter: "number",
  ...source,
  time_zone: "text",
} as const satisfies Columns;

const meal = {
  date: "date",
  name: "text",
  ...typed("number", ["calories", "carbohydrate_gram", "protein_gram", "alcohol_gram", "water_gram", "fibre_gram"]),
  ...typed("number", ["sugar_gram", "cholesterol_gram", "saturated_fat_gram", "monounsaturated_fat_gram"]),
  ...typed("number", ["polyunsaturated_fat_gram", "omega3_fat_gram", "omega6_fat_gram", "total_fat_gram"]),
  ...typed("number", ["sodium_milligram", "potassium_milligram", "calcium_milligram", "phosphorus_milligram"]),
  ...typed("number", ["magnesium_milligram", "iron_milligram", "zinc_milligram", "fluoride_milligram"]),
  ...typed("number", ["chloride_milligram", "vitamin_a_milligram", "vitamin_b1_milligram", "riboflavin_milligram"]),
  ...typed("number", ["niacin_milligram", "pantothenic_acid_milligram", "vitamin_b6_milligram", "biotin_microgram"]),
  ...typed("number", ["vitamin_b12_microgram", "vitamin_c_milligram", "vitamin_d_microgram", "vitamin_e_milligram"]),
  ...typed("number", ["vitamin_k_microgram", "folic_acid_microgram", "chromium_microgram", "copper_milligram"]),
  ...typed("number", ["iodine_microgram", "manganese_milligram", "molybdenum_microgram", "selenium_microgram"]),
  ...source,
} as const satisfies Columns;

const menstrual_cycle = {
  ...typed("date", ["period_start", "period_end", "cycle_end"]),
  is_predicted: "boolean",
  ...typed("list", ["menstrual_flow", "cervical_mucus", "intermenstrual_bleeding", "contraceptive"]),
  ...typed("list", ["detected_deviations", "ovulation_test", "home_pregnancy_test", "home_progesterone_test"]),
  ...typed("list", ["sexual_activity", "basal_body_temperature"]),
  ...source,
} as const satisfies Columns;

const profile = {
  height_centimeter: "number",
  birth_date: "date",
  wheelchair_use: "boolean",
  ...typed("text", ["gender", "sex"]),
  ...source,
  ...typed("instant", ["created_at", "updated_at"]),
} as const satisfies Columns;

const derived_readiness = {
  date: "date",
  ...typed("text", ["chronotype", "recovery_zone", "strain_zone"]),
  ...typed("number", ["sleep_score", "recovery_score", "stress_score", "strain_score"]),
} as const satisfies Columns;

/** The tables of the query language, with their selectable columns and types. */
export const tableColumns = {
  sleep,
  activity,
  workout,
  body,
  meal,
  menstrual_cycle,
  profile,
  derived_readiness,
} as const satisfies Record<string, Columns>;

export type TableName = keyof typeof tableColumns;
export const tableNames = Object.keys(tableColumns) as [TableName, ...TableName[]];

/** The time column of each table; `{ index: table }` stands for it. */
export const indexColumns: Readonly<Record<TableName, string>> = {
  sleep: "session_end",
  activity: "date",
  workout: "session_start",
  body: "measured_at",
  meal: "date",
  menstrual_cycle: "period_start",
  profile: "updated_at",
  derived_readiness: "date",
};
