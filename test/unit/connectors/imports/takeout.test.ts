import { describe, expect, test } from "vitest";
import { importTwice } from "./import-run.ts";

const FITBIT = "Takeout/Fitbit";
const stamped = (...items: readonly (readonly [dateTime: string, value: unknown])[]) =>
  JSON.stringify(items.map(([dateTime, value]) => ({ dateTime, value })));
const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;

const PROFILE = lines("id,full_name,date_of_birth,gender,timezone", "1,Test Person,1990-01-01,FEMALE,Europe/Berlin");
const NIGHT = {
  logId: 77,
  dateOfSleep: "2024-03-31",
  startTime: "2024-03-30T23:00:00.000",
  endTime: "2024-03-31T08:00:00.000",
  duration: 28_800_000,
  minutesAsleep: 450,
  minutesAwake: 30,
  minutesToFallAsleep: 0,
  efficiency: 94,
  levels: {
    data: [
      { dateTime: "2024-03-30T23:00:00.000", level: "light", seconds: 27_000 },
      { dateTime: "2024-03-31T07:30:00.000", level: "wake", seconds: 1_800 },
    ],
  },
};
const JSON_FILES = {
  [`${FITBIT}/Your Profile/Profile.csv`]: PROFILE,
  [`${FITBIT}/Global Export Data/heart_rate-2024-03-30.json`]: stamped(
    ["03/30/24 22:30:00", { bpm: 60, confidence: 2 }],
    ["03/30/24 22:30:05", { bpm: "none" }],
  ),
  [`${FITBIT}/Global Export Data/steps-2024-03-30.json`]: stamped(
    ["03/30/24 22:30:00", "12"],
    ["03/30/24 23:30:00", "8"],
    ["03/30/24 23:31:00", "0"],
  ),
  [`${FITBIT}/Global Export Data/distance-2024-03-30.json`]: stamped(["03/30/24 22:30:00", "950"]),
  [`${FITBIT}/Global Export Data/very_active_minutes-2024-03-30.json`]: stamped(["03/30/24 00:00:00", "15"]),
  [`${FITBIT}/Global Export Data/resting_heart_rate-2024-03-30.json`]: stamped(
    ["03/30/24 00:00:00", { date: "03/30/24", value: 55.5, error: 1 }],
    ["03/31/24 00:00:00", { date: null, value: 0, error: 0 }],
  ),
  [`${FITBIT}/Global Export Data/sleep-2024-03-01.json`]: JSON.stringify([NIGHT]),
};

describe("Fitbit data of Takeout", () => {
  test("samples keep their UTC times and get the offset of the account; days are local", async () => {
    const { first, second, records, bodies } = await importTwice(JSON_FILES);
    expect(new Set(bodies.map(({ provider }) => provider))).toEqual(new Set(["fitbit"]));
    expect(records.heartrate).toEqual([{ timestamp: "2024-03-30T22:30:00.000Z", timezone_offset: 3_600, value: 60 }]);
    expect(records.steps).toEqual([
      { start: "2024-03-30T22:30:00.000Z", end: "2024-03-30T22:31:00.000Z", timezone_offset: 3_600, value: 12 },
      { start: "2024-03-30T23:30:00.000Z", end: "2024-03-30T23:31:00.000Z", timezone_offset: 3_600, value: 8 },
    ]);
    expect(records.distance).toMatchObject([{ value: 9.5 }]);
    // 23:30 UTC is 00:30 of the next day in Berlin.
    expect(records.activity).toMatchObject([
      { calendar_date: "2024-03-30", steps: 12, distance: 9.5, high: 15, heart_rate: { resting_bpm: 55.5 } },
      { calendar_date: "2024-03-31", steps: 8 },
    ]);
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });

  test("a night over a clock change has the length that the device measured", async () => {
    const { records } = await importTwice(JSON_FILES);
    expect(records.sleep).toMatchObject([
      {
        provider_id: "77",
        bedtime_start: "2024-03-30T22:00:00.000Z",
        bedtime_stop: "2024-03-31T06:00:00.000Z",
        timezone_offset: 7_200,
        total: 27_000,
        light: 27_000,
      },
    ]);
    expect(records.sleep_cycle).toMatchObject([{ stage_type: [2, 4], stage_end_offset_second: [27_000, 28_800] }]);
  });

  test("local times need a zone, from the profile or the command", async () => {
    const night = { "sleep-2024-03-01.json": JSON.stringify([NIGHT]) };
    const without = await importTwice({ ...night, "notes.txt": "x" });
    expect(Object.fromEntries(without.first.leftOut)).toMatchObject({
      "local time without a time zone (pass --zone)": 1,
    });
    const { records } = await importTwice(night, false, { zone: "America/New_York" });
    expect(records.sleep?.[0]?.bedtime_start).toBe("2024-03-31T03:00:00.000Z");
  });

  test("CSV files of Google add what the JSON files lack, with their recorder", async () => {
    const activity = `${FITBIT}/Physical Activity_GoogleData`;
    const fitness = `${FITBIT}/Health Fitness Data_GoogleData`;
    const { first, records, bodies } = await importTwice({
      ...JSON_FILES,
      [`${FITBIT}/Global Export Data/calories-2024-04-01.json`]: stamped(["04/01/24 10:00:00", "1.5"]),
      [`${activity}/steps_2024-03-30.csv`]: lines(
        "timestamp,steps,data source",
        "2024-03-30T22:30:00Z,12,Watch",
        "2024-04-01T10:00:00Z,20,Watch",
      ),
      [`${activity}/weight.csv`]: lines("timestamp,weight grams,data source", "2024-03-30T06:00:00Z,70500,App"),
      [`${FITBIT}/Oxygen Saturation (SpO2)/Minute SpO2 - 2024-03-30.csv`]: lines(
        "timestamp,value",
        "2024-03-30T01:00:00Z,96.5",
        "2024-03-30T01:01:00Z,50.0",
      ),
      [`${FITBIT}/Heart Rate Variability/Heart Rate Variability Details - 2024-03-30.csv`]: lines(
        "timestamp,rmssd,coverage,low_frequency,high_frequency",
        "2024-03-30T02:00:00,41.5,0.9,1,2",
      ),
      [`${fitness}/UserSleeps_2024.csv`]: lines(
        "sleep_id,sleep_type,minutes_asleep,minutes_awake,start_utc_offset,sleep_start,end_utc_offset,sleep_end",
        "9,STAGES,450,30,+01:00,2024-03-30T22:00:00Z,+02:00,2024-03-31T06:00:00Z",
        "10,STAGES,60,0,+02:00,2024-04-02T22:00:00Z,+02:00,2024-04-02T23:00:00Z",
      ),
      [`${fitness}/UserSleepStages_2024.csv`]: lines(
        "sleep_id,sleep_stage_id,sleep_stage_type,sleep_stage_start,sleep_stage_end",
        "10,0,DEEP,2024-04-02T22:00:00Z,2024-04-02T23:00:00Z",
      ),
      [`${fitness}/UserExercises_2024.csv`]: lines(
        "exercise_id,exercise_start,exercise_end,utc_offset,activity_name,log_type,tracker_total_distance_mm,tracker_avg_heart_rate",
        "5,2024-04-01T10:00:00Z,2024-04-01T10:30:00Z,+02:00,Outdoor Walk,AUTO,2500000,0",
      ),
    });
    expect(Object.fromEntries(first.leftOut)).toMatchObject({
      "duplicate of a JSON file": 1,
      "minute without reading": 1,
    });
    expect(records.steps).toHaveLength(3);
    expect(records.activity?.map(({ calendar_date }) => calendar_date)).toEqual(["2024-03-30", "2024-03-31"]);
    expect(bodies.find(({ device }) => device?.id === "Watch")?.resources.steps).toHaveLength(1);
    expect(records.body_weight).toMatchObject([{ value: 70.5 }]);
    expect(records.blood_oxygen).toMatchObject([{ value: 96.5 }]);
    expect(records.hrv).toMatchObject([{ timestamp: "2024-03-30T01:00:00.000Z", value: 41.5 }]);
    expect(records.sleep?.map(({ provider_id, deep }) => [provider_id, deep])).toEqual([
      ["77", 0],
      ["10", 3_600],
    ]);
    expect(records.workouts).toMatchObject([
      {
        provider_id: "5",
        time_start: "2024-04-01T12:00:00.000+02:00",
        sport: { slug: "outdoor_walk" },
        distance: 2_500,
        average_hr: null,
      },
    ]);
    expect(first.difference).toBe(0);
  });

  test("a truncated JSON file is damaged", async () => {
    const cut = JSON_FILES[`${FITBIT}/Global Export Data/steps-2024-03-30.json`]?.slice(0, -20) ?? "";
    await expect(importTwice({ "steps-2024-03-30.json": cut }, false)).rejects.toThrow("damaged or incomplete");
  });
});

describe("Google Fit data of Takeout", () => {
  const points = (source: string, ...values: readonly object[]) =>
    JSON.stringify({
      "Data Source": source,
      "Data Points": values.map((value, index) => ({
        fitValue: [{ value }],
        startTimeNanos: 1_700_000_000_000_000_000 + index * 60_000_000_000,
        endTimeNanos: 1_700_000_060_000_000_000 + index * 60_000_000_000,
        dataTypeName: "com.google.any",
      })),
    });
  const merged = (type: string) => `derived:${type}:com.google.android.gms:merge_any`;

  test("merged points, sessions and days become records; raw points do not count twice", async () => {
    const all = "Takeout/Fit/All Data";
    const session = (activity: string, more: object) =>
      JSON.stringify({
        fitnessActivity: activity,
        startTime: "2024-05-01T08:00:00.000+02:00",
        endTime: "2024-05-01T09:00:00.000+02:00",
        ...more,
      });
    const { first, second, records, bodies } = await importTwice({
      [`${all}/derived_steps.json`]: points(merged("com.google.step_count.delta"), { intVal: 30 }, { intVal: 0 }),
      [`${all}/derived_steps_estimated.json`]: points(
        "derived:com.google.step_count.delta:com.google.android.gms:estimated_steps",
        { intVal: 31 },
      ),
      [`${all}/raw_steps.json`]: points("raw:com.google.step_count.delta:App:Phone", { intVal: 30 }),
      [`${all}/derived_heart.json`]: points(merged("com.google.heart_rate.bpm"), { fpVal: 62.5 }, {}),
      "Takeout/Fit/All Sessions/run.json": session("running", {
        aggregate: [
          { metricName: "com.google.distance.delta", floatValue: 9_000 },
          { metricName: "com.google.step_count.delta", intValue: 9_500 },
        ],
      }),
      "Takeout/Fit/All Sessions/sleep.json": session("sleep", {
        segment: [
          {
            fitnessActivity: "sleep.deep",
            startTime: "2024-05-01T08:00:00.000+02:00",
            endTime: "2024-05-01T08:30:00.000+02:00",
          },
        ],
      }),
      "Takeout/Fit/Daily activity metrics/Daily activity metrics.csv": lines(
        "Date,Move Minutes count,Calories (kcal),Distance (m),Average heart rate (bpm),Step count,Average weight (kg)",
        "2024-05-01,30,2000.5,4000,70,5000,71.5",
        "2024-05-02,,,,,,",
      ),
    });
    expect(new Set(bodies.map(({ provider }) => provider))).toEqual(new Set(["google_fit"]));
    expect(records.steps).toMatchObject([
      { start: "2023-11-14T22:13:20.000Z", end: "2023-11-14T22:14:20.000Z", value: 30 },
    ]);
    expect(records.heartrate).toMatchObject([{ timestamp: "2023-11-14T22:13:20.000Z", value: 62.5 }]);
    expect(records.workouts).toMatchObject([{ sport: { slug: "running" }, distance: 9_000, steps: 9_500 }]);
    expect(records.sleep).toMatchObject([
      { bedtime_start: "2024-05-01T06:00:00.000Z", timezone_offset: 7_200, deep: 1_800 },
    ]);
    expect(records.activity).toMatchObject([
      { calendar_date: "2024-05-01", steps: 5_000, calories_total: 2_000.5, heart_rate: { avg_bpm: 70 } },
    ]);
    expect(records.body).toEqual([{ calendar_date: "2024-05-01", weight: 71.5 }]);
    expect(Object.fromEntries(first.leftOut)).toEqual({
      "interval without movement": 1,
      "data source without resource, or part of a merged one": 2,
      "bad value": 1,
      "record without values": 1,
    });
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });
});
