import { describe, expect, test } from "vitest";
import { importTwice } from "./import-run.ts";

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;

describe("Samsung Health", () => {
  const FOLDER = "samsunghealth_test_20240601";
  const HEART = "com.samsung.health.heart_rate";
  const heartRate = lines(
    "com.samsung.shealth.tracker.heart_rate,7006011,11",
    `source,tag_id,${HEART}.start_time,${HEART}.end_time,${HEART}.time_offset,${HEART}.heart_rate,${HEART}.binning_data,${HEART}.deviceuuid,${HEART}.pkg_name`,
    ",1,2024-05-01 22:30:00.000,2024-05-01 22:31:00.000,UTC+0200,61.0,,watch-1,app,",
    ",1,2024-05-01 23:00:00.000,2024-05-01 23:59:00.000,UTC+0200,70.0,u1.binning_data.json,watch-1,app,",
    ",1,2024-05-02 00:00:00.000,2024-05-02 00:59:00.000,UTC+0200,75.0,missing.binning_data.json,watch-1,app,",
    ",1,no time,,UTC+0200,61.0,,watch-1,app,",
  );
  const files = {
    [`${FOLDER}/com.samsung.shealth.tracker.heart_rate.20240601.csv`]: `\uFEFF${heartRate}`,
    [`${FOLDER}/jsons/com.samsung.shealth.tracker.heart_rate/u/u1.binning_data.json`]: JSON.stringify([
      {
        start_time: Date.UTC(2024, 4, 1, 23),
        end_time: Date.UTC(2024, 4, 1, 23, 1),
        heart_rate: 66,
        heart_rate_min: 60,
      },
      { start_time: Date.UTC(2024, 4, 1, 23, 1), end_time: Date.UTC(2024, 4, 1, 23, 2), heart_rate: 0 },
    ]),
    [`${FOLDER}/com.samsung.health.weight.20240601.csv`]: lines(
      "com.samsung.health.weight,6305010,2",
      "weight,body_fat,start_time,time_offset,datauuid",
      "71.2,,2024-05-02 18:30:00.000,UTC+0200,w2,",
      "71.9,18.5,2024-05-01 23:30:00.000,UTC+0200,w1,",
    ),
    [`${FOLDER}/com.samsung.shealth.sleep.20240601.csv`]: lines(
      "com.samsung.shealth.sleep,7006011,11",
      "sleep_score,efficiency,com.samsung.health.sleep.start_time,com.samsung.health.sleep.end_time,com.samsung.health.sleep.time_offset,com.samsung.health.sleep.datauuid",
      "82,91.5,2024-05-01 21:00:00.000,2024-05-02 04:00:00.000,UTC+0200,night-1,",
    ),
    [`${FOLDER}/com.samsung.health.sleep_stage.20240601.csv`]: lines(
      "com.samsung.health.sleep_stage,7006011,7",
      "start_time,end_time,sleep_id,stage",
      "2024-05-01 21:00:00.000,2024-05-02 03:00:00.000,night-1,40002,",
      "2024-05-02 03:00:00.000,2024-05-02 04:00:00.000,night-1,40004,",
      "2024-05-02 03:00:00.000,2024-05-02 04:00:00.000,night-1,49999,",
    ),
    [`${FOLDER}/com.samsung.shealth.exercise.20240601.csv`]: lines(
      "com.samsung.shealth.exercise,7006011,11",
      "total_calorie,com.samsung.health.exercise.exercise_type,com.samsung.health.exercise.start_time,com.samsung.health.exercise.end_time,com.samsung.health.exercise.time_offset,com.samsung.health.exercise.distance,com.samsung.health.exercise.calorie,com.samsung.health.exercise.mean_heart_rate,com.samsung.health.exercise.datauuid",
      "250,1002,2024-05-01 16:00:00.000,2024-05-01 16:30:00.000,UTC-0330,5000,240,150.0,run-1,",
    ),
    [`${FOLDER}/com.samsung.shealth.activity.day_summary.20240601.csv`]: lines(
      "com.samsung.shealth.activity.day_summary,7006011,3",
      "step_count,distance,calorie,floor_count,day_time",
      `8000,6000.5,300,10.0,${Date.UTC(2024, 4, 1)},`,
      "0,0,0,0,2024-05-02 00:00:00.000,",
    ),
  };

  test("tables, stages and binning files become records with the offset of their row", async () => {
    const { first, second, records, bodies } = await importTwice(files);
    const at = { timezone_offset: 7_200 };
    expect(new Set(bodies.map(({ provider }) => provider))).toEqual(new Set(["samsung_health"]));
    expect(bodies.find(({ resources }) => resources.heartrate)).toMatchObject({
      device: { id: "watch-1" },
      app: { id: "app" },
    });
    expect(records.heartrate).toEqual([
      { timestamp: "2024-05-01T22:30:00.000Z", ...at, value: 61 },
      { timestamp: "2024-05-01T23:00:00.000Z", ...at, value: 66 },
      { timestamp: "2024-05-02T00:00:00.000Z", ...at, value: 75 },
    ]);
    // 23:30 UTC is the next day two hours east. The evening's scale measured no fat.
    expect(records.body).toEqual([{ calendar_date: "2024-05-02", weight: 71.2, fat: 18.5 }]);
    expect(records.sleep).toMatchObject([
      { provider_id: "night-1", timezone_offset: 7_200, light: 21_600, rem: 3_600, score: 82, efficiency: 91.5 },
    ]);
    expect(records.workouts).toMatchObject([
      { provider_id: "run-1", timezone_offset: -12_600, sport: { slug: "running" }, distance: 5_000, calories: 240 },
    ]);
    expect(records.activity).toMatchObject([{ calendar_date: "2024-05-01", steps: 8_000, floors_climbed: 10 }]);
    expect(Object.fromEntries(first.leftOut)).toEqual({
      "bad date": 1,
      "bad value": 2,
      "summary of a binning file": 2,
      "part of a night": 3,
      "day without activity": 1,
    });
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });
});

describe("Oura", () => {
  const sleepmodel = lines(
    "id;day;bedtime_start;bedtime_end;total_sleep_duration;deep_sleep_duration;type;heart_rate;sleep_phase_5_min",
    'p1;2024-05-02;2024-05-01T23:00:00.000+02:00;2024-05-02T07:00:00.000+02:00;25200;4800;long_sleep;{"interval":300,"items":[60,null,58],"timestamp":"2024-05-01T23:00:00.000+02:00"};"2211"',
    "p2;2024-05-02;2024-05-02T14:00:00.000+02:00;2024-05-02T14:30:00.000+02:00;0;0;rest;{};",
  );
  const files = {
    "export/App Data/sleepmodel.csv": sleepmodel,
    "export/App Data/dailysleep.csv": lines(
      "id;day;score;contributors;timestamp",
      's1;2024-05-02;82;{"rem_sleep":90};t',
    ),
    "export/App Data/dailyreadiness.csv": lines(
      "id;day;score;temperature_deviation;timestamp",
      "r1;2024-05-02;77;-0.2;2024-05-02T00:00:00+02:00",
    ),
    "export/App Data/dailyactivity.csv": lines(
      "id;day;steps;active_calories;total_calories;low_activity_time;class_5_min",
      "a1;2024-05-02;9000;420;2400;3600;000123",
    ),
    "export/App Data/heartrate.csv": lines("timestamp;bpm;source", "2024-05-02T10:00:00.000Z;70;awake"),
    "export/App Data/workout.json": JSON.stringify({
      data: [
        {
          id: "w1",
          activity: "running",
          start_datetime: "2024-05-02T10:00:00+02:00",
          end_datetime: "2024-05-02T10:30:00+02:00",
          calories: 300,
        },
      ],
    }),
    "export/Subscriptions/subscriptions.csv": lines("id;plan", "1;none"),
  };

  test("CSV and JSON files become the records of the connector", async () => {
    const { first, second, records, bodies } = await importTwice(files);
    expect(new Set(bodies.map(({ provider, source_type }) => `${provider} ${source_type}`))).toEqual(
      new Set(["oura ring"]),
    );
    expect(records.sleep).toMatchObject([
      {
        provider_id: "p1",
        calendar_date: "2024-05-02",
        timezone_offset: 7_200,
        total: 25_200,
        deep: 4_800,
        type: "long_sleep",
        score: 82,
        recovery_readiness_score: 77,
        temperature_delta: -0.2,
      },
    ]);
    expect(records.sleep_cycle).toMatchObject([{ stage_type: [2, 1] }]);
    expect(records.sleep_stream).toMatchObject([{ heartrate: [{ value: 60 }, { value: 58 }] }]);
    expect(records.body_temperature_delta).toMatchObject([{ value: -0.2 }]);
    expect(records.activity).toMatchObject([{ calendar_date: "2024-05-02", steps: 9_000, low: 60 }]);
    expect(records.heartrate).toMatchObject([{ timestamp: "2024-05-02T10:00:00.000Z", value: 70 }]);
    expect(records.workouts).toMatchObject([{ provider_id: "w1", sport: { slug: "running" } }]);
    expect(Object.fromEntries(first.leftOut)).toEqual({
      "part of a night": 2,
      "rest or deleted period": 1,
      "other file (csv)": 1,
    });
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });

  test("the trends of the website become nights and days", async () => {
    const { first, second, records } = await importTwice(
      {
        "trends.csv": lines(
          "date,Sleep Score,Total Sleep Duration,Deep Sleep Duration,Average HRV,Bedtime Start,Bedtime End,Readiness Score,Steps,Low Activity Time",
          "2024-05-03,81,25200,4800,45,2024-05-02T23:00:00+02:00,2024-05-03T07:00:00+02:00,75,9000,3600",
          "2024-05-04,,,,,,,,8000,1800",
          "2024-05-05,,,,,,,,,",
        ),
      },
      false,
    );
    expect(records.sleep).toMatchObject([
      {
        provider_id: "sleep 2024-05-02T23:00:00+02:00",
        total: 25_200,
        deep: 4_800,
        average_hrv: 45,
        score: 81,
        recovery_readiness_score: 75,
        timezone_offset: 7_200,
      },
    ]);
    expect(records.activity).toMatchObject([
      { calendar_date: "2024-05-03", steps: 9_000, low: 60 },
      { calendar_date: "2024-05-04", steps: 8_000, low: 30 },
    ]);
    expect(Object.fromEntries(first.leftOut)).toEqual({ "part of a night": 1, "record without values": 1 });
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });

  test("a file that ends within quotes is damaged", async () => {
    const cut = sleepmodel.slice(0, sleepmodel.indexOf('"interval"') + 4);
    await expect(importTwice({ "sleepmodel.csv": cut }, false)).rejects.toThrow("ends within quotes");
  });
});

describe("WHOOP", () => {
  const CYCLE = "Cycle start time,Cycle end time,Cycle timezone";
  const STAGES =
    "Asleep duration (min),In bed duration (min),Light sleep duration (min),Deep (SWS) duration (min),REM duration (min),Awake duration (min)";
  const cycle = "2024-05-01 22:00:00,2024-05-02 22:00:00,UTC+02:00";
  const files = {
    "my_whoop_data/physiological_cycles.csv": lines(
      `${CYCLE},Recovery score %,Resting heart rate (bpm),Heart rate variability (ms),Skin temp (celsius),Blood oxygen %,Energy burned (cal),Max HR (bpm),Average HR (bpm),Sleep onset,Wake onset,${STAGES}`,
      `${cycle},72,52,58,33.1,96.5,2000,165,75,2024-05-01 23:00:00,2024-05-02 07:00:00,450,480,210,110,130,30`,
      "2024-05-02 22:00:00,,UTC+02:00,,,,,,,,,,,,,,,,",
    ),
    "my_whoop_data/sleeps.csv": lines(
      `${CYCLE},Sleep onset,Wake onset,Sleep performance %,Respiratory rate (rpm),${STAGES},Sleep efficiency %,Nap`,
      `${cycle},2024-05-01 23:00:00,2024-05-02 07:00:00,92,15.2,450,480,210,110,130,30,94,false`,
      `${cycle},2024-05-02 14:00:00,2024-05-02 14:30:00,,,25,30,25,0,0,5,80,true`,
    ),
    "my_whoop_data/workouts.csv": lines(
      `${CYCLE},Workout start time,Workout end time,Duration (min),Activity name,Energy burned (cal),Max HR (bpm),Average HR (bpm),HR Zone 1 %,HR Zone 2 %,HR Zone 3 %,HR Zone 4 %,HR Zone 5 %`,
      `${cycle},2024-05-02 18:00:00,2024-05-02 19:00:00,60,Weightlifting,500,175,142,10,20,30,20,5`,
    ),
    "my_whoop_data/journal_entries.csv": lines(`${CYCLE},Question text,Answered yes`, `${cycle},Caffeine?,true`),
  };

  test("CSV files become the records of the connector, with the offset of their cycle", async () => {
    const { first, second, records, bodies } = await importTwice(files);
    expect(new Set(bodies.map(({ provider }) => provider))).toEqual(new Set(["whoop_v2"]));
    expect(records.sleep).toMatchObject([
      {
        bedtime_start: "2024-05-01T23:00:00+02:00",
        timezone_offset: 7_200,
        total: 27_000,
        awake: 1_800,
        deep: 6_600,
        duration: 28_800,
        score: 92,
        hr_resting: 52,
        average_hrv: 58,
        recovery_readiness_score: 72,
      },
      { bedtime_start: "2024-05-02T14:00:00+02:00", type: "acknowledged_nap", total: 1_500 },
    ]);
    expect(records.activity).toMatchObject([
      {
        calendar_date: "2024-05-02",
        calories_total: expect.closeTo(2_000, 6),
        heart_rate: { avg_bpm: 75, max_bpm: 165 },
      },
    ]);
    expect(records.hrv).toMatchObject([{ timestamp: "2024-05-02T07:00:00+02:00", value: 58 }]);
    expect(records.respiratory_rate).toMatchObject([{ value: 15.2 }]);
    expect(records.workouts).toMatchObject([
      {
        time_start: "2024-05-02T18:00:00+02:00",
        sport: { slug: "strength_training" },
        calories: expect.closeTo(500, 6),
        hr_zones: [540, 360, 720, 1_080, 720, 180],
      },
    ]);
    expect(Object.fromEntries(first.leftOut)).toEqual({ "record without values": 1, "other file (csv)": 1 });
    expect([first.difference, second.stored, second.updated]).toEqual([0, 0, 0]);
  });
});
