import type { TimeseriesResource } from "../../lib/domain/timeseries/resource.ts";
import { timeseriesResources } from "../../lib/domain/timeseries/resources.ts";

/** The day of all data in these tests. */
export const recordDay = "2026-01-02";

/** The instant of every sample. */
export const recordInstant = `${recordDay}T03:04:05Z`;

/** Creates one record per distinct type of the resource, or one record for other resources, with every field. */
function recordsOf({ kind, value, bounds, type, fields }: TimeseriesResource): object[] {
  const [lowest, highest] = bounds;
  const middle = Math.round((lowest + Math.min(highest, lowest + 100)) / 2);
  const values = { none: {}, string: { value: "two words" }, integer: { value: lowest }, number: { value: middle } };
  const given = fields.map((rule) => {
    if (rule.kind === "number") return [rule.name, 90];
    return [rule.name, rule.kind === "choice" ? rule.values[0] : [rule.values[0]]];
  });
  const record = {
    ...(kind === "interval" ? { start: recordInstant, end: `${recordDay}T03:05:05Z` } : { timestamp: recordInstant }),
    ...values[value],
    ...Object.fromEntries(given),
  };
  const types = type.values ?? ["lead_1"];
  return type.required
    ? types.slice(0, type.identity ? types.length : 1).map((name) => ({ ...record, type: name }))
    : [record];
}

/** Samples of every timeseries resource, as a sender writes them. */
export const timeseriesRecords: Readonly<Record<string, readonly object[]>> = Object.fromEntries(
  timeseriesResources.map((resource) => [resource.name, recordsOf(resource)]),
);

/** A summary of every readable kind. */
export const summaryRecords = {
  activity: [
    {
      calendar_date: recordDay,
      steps: 9_120,
      calories_active: 431.5,
      distance: 6_800,
      heart_rate: { avg_bpm: 71, min_bpm: 48, max_bpm: 162, resting_bpm: 52 },
    },
  ],
  body: [{ calendar_date: recordDay, weight: 71.4, fat: 18.2 }],
  sleep: [
    {
      provider_id: "night-1",
      bedtime_start: "2026-01-01T23:10:00+01:00",
      bedtime_stop: "2026-01-02T07:02:00+01:00",
      deep: 5_400,
      light: 14_400,
      rem: 6_300,
      awake: 1_200,
      hr_lowest: 47,
      efficiency: 93.5,
    },
  ],
  workouts: [
    {
      provider_id: "run-1",
      time_start: `${recordDay}T17:00:00+01:00`,
      time_end: `${recordDay}T17:42:00+01:00`,
      sport: { id: 1, name: "Running", slug: "running" },
      distance: 8_050,
      hr_zones: [0, 300, 900, 900, 360, 60],
    },
  ],
  profile: [{ height: 172, birth_date: "1985-03-14", sex: "female" }],
  meal: [
    {
      provider_id: "meal-1",
      timestamp: `${recordDay}T12:30:00+01:00`,
      name: "Lunch",
      energy: { unit: "kcal", value: 640 },
      macros: { protein: 31, fats: { total: 22.5 } },
      micros: { minerals: { sodium: 800 }, vitamins: { vitamin_c: 35 } },
      data: { Soup: { energy: { unit: "kcal", value: 640 } } },
    },
  ],
  menstrual_cycle: [
    {
      period_start: recordDay,
      menstrual_flow: [{ date: recordDay, flow: "light" }],
      ovulation_test: [{ date: recordDay, test_result: "negative" }],
      basal_body_temperature: [{ date: recordDay, value: 36.4 }],
    },
  ],
  electrocardiogram: [
    {
      session_start: `${recordDay}T10:00:00Z`,
      session_end: `${recordDay}T10:00:30Z`,
      voltage_sample_count: 15_360,
      classification: "sinus_rhythm",
    },
  ],
  sleep_cycle: [
    {
      session_start: `${recordDay}T00:10:00Z`,
      session_end: `${recordDay}T07:02:00Z`,
      stage_start_offset_second: [0, 1_200],
      stage_end_offset_second: [1_200, 24_000],
      stage_type: [4, 2],
    },
  ],
  devices: [{ device_id: "watch-1", device_manufacturer: "Acme" }],
} as const;

const startS = Date.parse(`${recordDay}T16:00:00Z`) / 1000;

/** A stream of the workout and of the sleep above. */
export const streamRecords = {
  workout_stream: [
    { provider_id: "run-1", time: [startS, startS + 1], heartrate: [121, null], velocity_smooth: [2.9, 3] },
  ],
  sleep_stream: [
    {
      provider_id: "night-1",
      heartrate: [{ timestamp: recordInstant, value: 52 }],
      hypnogram: [{ start: recordInstant, end: `${recordDay}T03:30:00Z`, value: 1 }],
    },
  ],
} as const;
