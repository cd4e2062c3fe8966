import { encodeFit, fitTime } from "./garmin/fit-file.ts";

/** A file: its path in the zip of its export, and its content. */
export type SampleFile = readonly [path: string, content: string | Uint8Array];

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;
const stamped = (value: unknown) => JSON.stringify([{ dateTime: "05/01/24 06:00:00", value }]);
const START = fitTime("2024-05-01T06:00:00Z");

const apple: Readonly<Record<string, SampleFile>> = {
  "export.xml": [
    "apple_health_export/export.xml",
    '<?xml version="1.0"?><!DOCTYPE HealthData []><HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" startDate="2024-05-01 08:00:00 +0200" endDate="2024-05-01 08:00:00 +0200" value="60"/></HealthData>',
  ],
  "electrocardiograms/*.csv": [
    "apple_health_export/electrocardiograms/ecg_2024-05-01.csv",
    lines(
      "Name,Test",
      "Recorded Date,2024-05-01 08:00:00 +0200",
      "Classification,Sinus Rhythm",
      "Sample Rate,512 hertz",
      "Lead,Lead I",
      "Unit,µV",
      "",
      "12.5",
      "13.5",
    ),
  ],
  "workout-routes/*.gpx": [
    "apple_health_export/workout-routes/a.gpx",
    '<?xml version="1.0"?><gpx version="1.1"><trk><trkseg><trkpt lon="3" lat="54"><time>2024-05-01T06:00:00Z</time></trkpt></trkseg></trk></gpx>',
  ],
};

const garmin: Readonly<Record<string, SampleFile>> = {
  "*_summarizedActivities.json": [
    "DI_CONNECT/DI-Connect-Fitness/u_0_summarizedActivities.json",
    JSON.stringify([{ summarizedActivitiesExport: [{ activityId: 1, beginTimestamp: 1.7e12, duration: 6e5 }] }]),
  ],
  "*_sleepData.json": [
    "DI_CONNECT/DI-Connect-Wellness/2024_sleepData.json",
    JSON.stringify([
      { sleepStartTimestampGMT: "2024-05-01T21:00:00.0", calendarDate: "2024-05-02", deepSleepSeconds: 3600 },
    ]),
  ],
  "UDSFile_*.json": [
    "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024.json",
    JSON.stringify([{ calendarDate: "2024-05-01", totalKilocalories: 2000, totalSteps: 8000 }]),
  ],
  "*.fit": [
    "DI_CONNECT/a.fit",
    encodeFit(
      [0, [0, "Enum", 32], [4, "Uint32", START]],
      [55, [253, "Uint32", START], [27, "Uint8", 60]],
      [227, [0, "Sint16", 20], [1, "Uint32", START]],
    ),
  ],
};

const GLOBAL = "Takeout/Fitbit/Global Export Data";
const fitbit: Readonly<Record<string, SampleFile>> = {
  "Profile.csv": [
    "Takeout/Fitbit/Your Profile/Profile.csv",
    lines("id,date_of_birth,gender,timezone", "1,1990-01-01,MALE,Asia/Tokyo"),
  ],
  "heart_rate-*.json": [`${GLOBAL}/heart_rate-2024-05-01.json`, stamped({ bpm: 60 })],
  ...Object.fromEntries(
    ["steps", "distance", "calories", "lightly_active_minutes", "moderately_active_minutes", "very_active_minutes"].map(
      (name) => [`${name}-*.json`, [`${GLOBAL}/${name}-2024-05-01.json`, stamped("12")] as const],
    ),
  ),
  "resting_heart_rate-*.json": [`${GLOBAL}/resting_heart_rate-2024-05-01.json`, stamped({ value: 55 })],
  "demographic_vo2_max-*.json": [
    `${GLOBAL}/demographic_vo2_max-2024-05-01.json`,
    stamped({ demographicVO2Max: 41.5, filteredDemographicVO2Max: 41 }),
  ],
  "sleep-*.json": [
    `${GLOBAL}/sleep-2024-05-01.json`,
    JSON.stringify([
      { logId: 1, dateOfSleep: "2024-05-01", startTime: "2024-04-30T23:00:00.000", duration: 2.88e7, minutesAsleep: 1 },
    ]),
  ],
  "heart_rate_*.csv": [
    "heart_rate_1.csv",
    lines("timestamp,beats per minute,data source", "2024-05-02T06:00:00Z,61,A"),
  ],
  "steps_*.csv": ["steps_1.csv", lines("timestamp,steps,data source", "2024-05-02T06:00:00Z,61,A")],
  "distance_*.csv": ["distance_1.csv", lines("timestamp,distance,data source", "2024-05-02T06:00:00Z,61,A")],
  "weight.csv": ["weight.csv", lines("timestamp,weight grams,data source", "2024-05-02T06:00:00Z,71000,A")],
  "Minute SpO2 - *.csv": ["Minute SpO2 - 1.csv", lines("timestamp,value", "2024-05-02T06:00:00Z,97")],
  "Heart Rate Variability Details - *.csv": [
    "Heart Rate Variability Details - 1.csv",
    lines("timestamp,rmssd,coverage,low_frequency,high_frequency", "2024-05-02T06:00:00,40,1,1,1"),
  ],
  "UserSleeps_*.csv": [
    "UserSleeps_1.csv",
    lines(
      "sleep_id,sleep_type,start_utc_offset,sleep_start,sleep_end",
      "2,STAGES,+00:00,2024-05-20T22:00:00Z,2024-05-21T06:00:00Z",
    ),
  ],
  "UserSleepStages_*.csv": [
    "UserSleepStages_1.csv",
    lines(
      "sleep_id,sleep_stage_id,sleep_stage_type,sleep_stage_start,sleep_stage_end",
      "2,0,DEEP,2024-05-20T22:00:00Z,2024-05-21T06:00:00Z",
    ),
  ],
  "UserExercises_*.csv": [
    "UserExercises_1.csv",
    lines(
      "exercise_id,exercise_start,exercise_end,utc_offset,activity_name",
      "3,2024-05-01T10:00:00Z,2024-05-01T11:00:00Z,+00:00,Walk",
    ),
  ],
};

const googleFit: Readonly<Record<string, SampleFile>> = {
  "All Data/*.json": [
    "Takeout/Fit/All Data/a.json",
    JSON.stringify({
      "Data Source": "derived:com.google.weight:com.google.android.gms:merge_weight",
      "Data Points": [{ fitValue: [{ value: { fpVal: 71.5 } }], startTimeNanos: 1.7e18, endTimeNanos: 1.7e18 }],
    }),
  ],
  "All Sessions/*.json": [
    "Takeout/Fit/All Sessions/a.json",
    JSON.stringify({ fitnessActivity: "biking", startTime: "2024-05-01T08:00:00Z", endTime: "2024-05-01T09:00:00Z" }),
  ],
  "Daily activity metrics.csv": [
    "Takeout/Fit/Daily activity metrics/Daily activity metrics.csv",
    lines("Date,Move Minutes count,Calories (kcal),Step count", "2024-05-01,30,2000,9000"),
  ],
};

const samsungTable = (table: string, columns: string, row: string): SampleFile => [
  `${table}.20240601.csv`,
  lines(`${table},7006011,11`, columns, `${row},`),
];
const samsungValue = (table: string, column: string, value: number) =>
  samsungTable(
    table,
    `start_time,end_time,time_offset,${column}`,
    `2024-05-01 06:00:00.000,2024-05-01 06:05:00.000,UTC+0200,${value}`,
  );
const samsungBins = (table: string, member: string, value: number): SampleFile => [
  `jsons/${table}/a/b.binning_data.json`,
  JSON.stringify([{ start_time: 1.7e12, end_time: 1.7e12 + 60_000, [member]: value }]),
];
const samsungValues = [
  ["com.samsung.shealth.tracker.heart_rate", "heart_rate", "heart_rate", 60],
  ["com.samsung.shealth.stress", "score", "score", 30],
  ["com.samsung.shealth.tracker.oxygen_saturation", "spo2", "spo2", 97],
  ["com.samsung.health.hrv", "rmssd", "rmssd", 40],
  ["com.samsung.health.respiratory_rate", "average", "respiratory_rate", 15],
  ["com.samsung.health.skin_temperature", "temperature", "temperature", 33],
  ["com.samsung.health.blood_glucose", "glucose", "glucose", 5.5],
  ["com.samsung.health.water_intake", "amount", "amount", 250],
] as const;

const samsung: Readonly<Record<string, SampleFile>> = {
  ...Object.fromEntries(
    samsungValues.flatMap(([table, column, member, value]) => [
      [`${table}.*.csv`, samsungValue(table, column, value)],
      [`jsons/${table}/*.binning_data.json`, samsungBins(table, member, value)],
    ]),
  ),
  "com.samsung.health.weight.*.csv": samsungValue("com.samsung.health.weight", "weight", 71),
  "com.samsung.health.blood_pressure.*.csv": samsungTable(
    "com.samsung.health.blood_pressure",
    "start_time,systolic,diastolic",
    "2024-05-01 06:00:00.000,120,80",
  ),
  "com.samsung.shealth.exercise.*.csv": samsungValue("com.samsung.shealth.exercise", "exercise_type", 1002),
  "com.samsung.shealth.activity.day_summary.*.csv": samsungTable(
    "com.samsung.shealth.activity.day_summary",
    "day_time,step_count",
    "2024-05-01 00:00:00.000,8000",
  ),
  "com.samsung.health.sleep_stage.*.csv": samsungTable(
    "com.samsung.health.sleep_stage",
    "start_time,end_time,sleep_id,stage",
    "2024-05-01 06:00:00.000,2024-05-01 07:00:00.000,n,40002",
  ),
  "com.samsung.shealth.sleep.*.csv": samsungValue("com.samsung.shealth.sleep", "sleep_score", 80),
};

const ouraDocuments: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  dailysleep: { id: "a", day: "2024-05-02", score: 80 },
  dailyreadiness: { id: "b", day: "2024-05-02", timestamp: "2024-05-02T00:00:00Z", temperature_deviation: 0.1 },
  sleepmodel: {
    id: "c",
    day: "2024-05-02",
    bedtime_start: "2024-05-01T23:00:00+02:00",
    bedtime_end: "2024-05-02T07:00:00+02:00",
    type: "long_sleep",
  },
  dailyactivity: { id: "d", day: "2024-05-02", steps: 9000, active_calories: 420 },
  heartrate: { timestamp: "2024-05-02T10:00:00Z", bpm: 70 },
  workout: {
    id: "e",
    activity: "running",
    start_datetime: "2024-05-02T10:00:00Z",
    end_datetime: "2024-05-02T11:00:00Z",
  },
  dailyspo2: { id: "f", day: "2024-05-02", spo2_percentage: { average: 97 } },
  vo2max: { timestamp: "2024-05-02T00:00:00Z", vo2_max: 45 },
};
const oura: Readonly<Record<string, SampleFile>> = {
  "oura_*_trends.csv": [
    "oura_2024_trends.csv",
    lines(
      "date,Sleep Score,Total Sleep Duration,Bedtime Start,Bedtime End,Readiness Score,Steps,Activity Burn",
      "2024-05-03,81,25200,2024-05-02T23:00:00+02:00,2024-05-03T07:00:00+02:00,75,9000,420",
    ),
  ],
  ...Object.fromEntries(
    Object.entries(ouraDocuments).flatMap(([name, document]) => {
      const cells = Object.values(document).map((value) => (typeof value === "object" ? JSON.stringify(value) : value));
      return [
        [`${name}.csv`, [`App Data/${name}.csv`, lines(Object.keys(document).join(";"), cells.join(";"))]],
        [`${name}.json`, [`App Data/${name}.json`, JSON.stringify([document])]],
      ];
    }),
  ),
};

const whoopHead = "Cycle start time,Cycle end time,Cycle timezone";
const whoopCycle = "2024-05-01 22:00:00,2024-05-02 22:00:00,UTC+02:00";
const whoop: Readonly<Record<string, SampleFile>> = {
  "physiological_cycles.csv": [
    "physiological_cycles.csv",
    lines(`${whoopHead},Recovery score %,Energy burned (cal),Sleep onset,Wake onset`, `${whoopCycle},70,2000,,`),
  ],
  "sleeps.csv": [
    "sleeps.csv",
    lines(`${whoopHead},Sleep onset,Wake onset,Nap`, `${whoopCycle},2024-05-01 23:00:00,2024-05-02 07:00:00,false`),
  ],
  "workouts.csv": [
    "workouts.csv",
    lines(
      `${whoopHead},Workout start time,Workout end time,Activity name`,
      `${whoopCycle},2024-05-02 18:00:00,2024-05-02 19:00:00,Running`,
    ),
  ],
};

/** A file of each kind of each format, by the title of the format and the name of the kind. */
export const sampleFiles: Readonly<Record<string, Readonly<Record<string, SampleFile>>>> = {
  "Apple Health export": apple,
  "Garmin export or FIT file": garmin,
  "Fitbit data of Google Takeout": fitbit,
  "Google Fit data of Google Takeout": googleFit,
  "Samsung Health export": samsung,
  "Oura export": oura,
  "WHOOP export": whoop,
};
