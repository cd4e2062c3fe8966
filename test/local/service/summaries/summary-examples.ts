import type { SummaryName } from "../../../../lib/domain/summaries/summary-names.ts";
import { summaryNames } from "../../../../lib/domain/summaries/summary-names.ts";

/** A summary as a sender submits it, with every field in its response form, and a change to it. */
interface SummaryExample {
  readonly record: Readonly<Record<string, unknown>>;
  readonly change: Readonly<Record<string, unknown>>;
}

const fats = { saturated: 3, monounsaturated: 4.5, polyunsaturated: 1, omega3: 0.4, omega6: 0.6, total: 9 };
const macros = { carbs: 60, protein: 12.5, fats, alcohol: 0, water: 200, fibre: 8, sugar: 14, cholesterol: 0.01 };
const micros = {
  minerals: { sodium: 120, calcium: 300.5 },
  trace_elements: { iodine: 12 },
  vitamins: { vitamin_c: 40, folic_acid: null },
};
const energy = { unit: "kcal", value: 380.5 };
const date = "2026-05-01";

/** Every kind with every field that a sender can set, all on one day. */
export const summaryExamples: Readonly<Record<SummaryName, SummaryExample>> = {
  activity: {
    record: {
      calendar_date: date,
      calories_total: 2_400.5,
      calories_active: 610,
      steps: 9_000,
      daily_movement: 7_100,
      distance: 7_000.25,
      low: 180,
      medium: 40,
      high: 15.5,
      floors_climbed: 12,
      time_zone: "Europe/Berlin",
      timezone_offset: 7_200,
      heart_rate: { avg_bpm: 70, min_bpm: 48, max_bpm: 150, resting_bpm: 52, avg_walking_bpm: 95.5 },
      wheelchair_use: true,
      wheelchair_push: 3,
    },
    change: { steps: 9_500 },
  },
  sleep: {
    record: {
      bedtime_start: "2026-04-30T21:00:00+00:00",
      bedtime_stop: "2026-05-01T05:00:00+00:00",
      timezone_offset: 7_200,
      calendar_date: date,
      type: "long_sleep",
      duration: 28_800,
      total: 25_200,
      awake: 3_600,
      light: 14_400,
      rem: 5_400,
      deep: 5_400,
      score: 78,
      recovery_readiness_score: 66,
      hr_lowest: 46,
      hr_average: 54,
      hr_resting: 50,
      efficiency: 87.5,
      latency: 600,
      temperature_delta: -0.2,
      skin_temperature: 34.6,
      hr_dip: 14,
      state: "confirmed",
      average_hrv: 61,
      respiratory_rate: 14.2,
      provider_id: "night-1",
    },
    change: { score: 80 },
  },
  workouts: {
    record: {
      title: "Morning run",
      timezone_offset: 7_200,
      average_hr: 148,
      max_hr: 176,
      distance: 8_000,
      calendar_date: date,
      time_start: "2026-05-01T06:00:00+00:00",
      time_end: "2026-05-01T06:40:00+00:00",
      calories: 520,
      sport: { id: 1, name: "Running", slug: "running" },
      hr_zones: [0, 60, 600, 1_200, 480, 60],
      moving_time: 2_340,
      total_elevation_gain: 84,
      elev_high: 112.5,
      elev_low: 31,
      average_speed: 3.4,
      max_speed: 5.1,
      average_watts: 240,
      device_watts: 238,
      max_watts: 410,
      weighted_average_watts: 251,
      steps: 6_400,
      map: { polyline: "_p~iF~ps|U", summary_polyline: "_p~iF" },
      provider_id: "run-1",
    },
    change: { distance: 8_100 },
  },
  body: {
    record: {
      calendar_date: date,
      weight: 70.5,
      fat: 20,
      water_percentage: 55,
      muscle_mass_percentage: 41,
      visceral_fat_index: 5,
      bone_mass_percentage: 4.1,
      body_mass_index: 22.6,
      lean_body_mass_kilogram: 56.4,
      waist_circumference_centimeter: 81,
    },
    change: { weight: 70.4 },
  },
  profile: {
    record: { height: 178, birth_date: "1985-03-14", wheelchair_use: true, gender: "other", sex: "female" },
    change: { height: 179 },
  },
  meal: {
    record: {
      provider_id: "breakfast-1",
      timestamp: "2026-05-01T06:30:00+00:00",
      calendar_date: date,
      name: "Breakfast",
      energy,
      macros,
      micros,
      data: { Porridge: { energy, macros, micros }, Tea: { energy: null, macros: null, micros: null } },
    },
    change: { name: "Second breakfast" },
  },
  menstrual_cycle: {
    record: {
      period_start: date,
      period_end: "2026-05-05",
      cycle_end: "2026-05-28",
      is_predicted: false,
      menstrual_flow: [{ date, flow: "medium" }],
      cervical_mucus: [{ date, quality: "creamy" }],
      intermenstrual_bleeding: [{ date: "2026-05-14" }],
      contraceptive: [{ date, type: "oral" }],
      detected_deviations: [{ date, deviation: "irregular_menstrual_cycles" }],
      ovulation_test: [{ date: "2026-05-14", test_result: "luteinizing_hormone_surge" }],
      home_pregnancy_test: [{ date, test_result: "negative" }],
      home_progesterone_test: [{ date, test_result: "indeterminate" }],
      sexual_activity: [{ date, protection_used: true }],
      basal_body_temperature: [{ date, value: 36.45 }],
    },
    change: { cycle_end: "2026-05-29" },
  },
  electrocardiogram: {
    record: {
      session_start: "2026-05-01T10:00:00+00:00",
      session_end: "2026-05-01T10:00:30+00:00",
      voltage_sample_count: 15_360,
      heart_rate_mean: 64,
      sampling_frequency_hz: 512.4,
      classification: "inconclusive",
      inconclusive_cause: "poor_reading",
      algorithm_version: "2",
      time_zone: "Europe/Berlin",
      source_device_model: "Watch7,1",
    },
    change: { classification: "sinus_rhythm", inconclusive_cause: null },
  },
  sleep_cycle: {
    record: {
      session_start: "2026-05-01T00:10:00+00:00",
      session_end: "2026-05-01T06:10:00+00:00",
      stage_start_offset_second: [0, 600, 9_000],
      stage_end_offset_second: [600, 9_000, 21_600],
      stage_type: [4, 2, 1],
      time_zone: "Europe/Berlin",
    },
    change: { stage_type: [4, 2, 3] },
  },
  devices: {
    record: { device_id: "watch-1", device_manufacturer: "Acme", device_model: "W1", device_version: "9.1" },
    change: { device_version: "9.2" },
  },
};

/** The kinds that are read by day, each with its example and the key of its list. */
export const kindsOfDays = summaryNames.flatMap(({ name, listKey }) =>
  name === "devices" || listKey === null ? [] : [{ kind: name, listKey, ...summaryExamples[name] }],
);

/** The kinds whose ranges accept only dates. */
export const datesOnly: readonly string[] = ["menstrual_cycle", "electrocardiogram", "sleep_cycle"];
