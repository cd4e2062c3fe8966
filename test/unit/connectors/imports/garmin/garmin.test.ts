import { mkdtempSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { importTwice } from "../import-run.ts";
import { writeZip } from "../write-zip.ts";
import { encodeFit, fitTime } from "./fit-file.ts";

const START = fitTime("2024-05-01T06:00:00Z");
const UNIX_START = Date.UTC(2024, 4, 1, 6) / 1000;
const FORERUNNER_245 = 3076;
const SEMICIRCLES = 2 ** 31 / 180;
const twoHoursEast = 7_200;

const fileId = (type: number) =>
  [0, [0, "Enum", type], [1, "Uint16", 1], [2, "Uint16", FORERUNNER_245], [4, "Uint32", START]] as const;
const point = (second: number, bpm: number) =>
  [
    20,
    [253, "Uint32", START + second],
    [0, "Sint32", Math.round(54 * SEMICIRCLES)],
    [1, "Sint32", Math.round(3 * SEMICIRCLES)],
    [3, "Uint8", bpm],
  ] as const;

const ACTIVITY = encodeFit(
  fileId(4),
  point(0, 100),
  point(1, 101),
  point(3_000, 90),
  [
    18,
    [253, "Uint32", START + 600],
    [2, "Uint32", START],
    [5, "Enum", 1],
    [6, "Enum", 3],
    [7, "Uint32", 600_000],
    [9, "Uint32", 200_000],
    [11, "Uint16", 150],
    [16, "Uint8", 100],
    [17, "Uint8", 120],
  ],
  [34, [253, "Uint32", START + 600], [5, "Uint32", START + 600 + twoHoursEast]],
);

const WELLNESS = encodeFit(
  fileId(32),
  [103, [253, "Uint32", START], [0, "Uint32", START + twoHoursEast]],
  [55, [253, "Uint32", START], [27, "Uint8", 60]],
  [55, [26, "Uint16", (START + 60) & 0xffff], [27, "Uint8", 61]],
  [227, [0, "Sint16", 0], [1, "Uint32", START]],
  [227, [0, "Sint16", -1], [1, "Uint32", START + 180]],
  [297, [0, "Sint16", 1_450], [253, "Uint32", START]],
  [269, [0, "Uint8", 97], [253, "Uint32", START]],
  [371, [0, "Uint16", 45 * 128], [253, "Uint32", START]],
  [275, [0, "Enum", 2], [253, "Uint32", START]],
  [275, [0, "Enum", 3], [253, "Uint32", START + 600]],
  [275, [0, "Enum", 1], [253, "Uint32", START + 900]],
  [30, [0, "Uint16", 7_550], [1, "Uint16", 1_850], [253, "Uint32", START]],
  [51, [0, "Uint16", 120], [1, "Uint16", 80], [253, "Uint32", START]],
  [229, [0, "Uint32", START], [2, "Uint16", 455]],
  [398, [253, "Uint32", START], [1, "Float32", 0.5]],
);

const NIGHT = {
  sleepStartTimestampGMT: "2024-05-01T21:30:00.0",
  sleepEndTimestampGMT: "2024-05-02T05:30:00.0",
  calendarDate: "2024-05-02",
  sleepWindowConfirmationType: "ENHANCED_CONFIRMED_FINAL",
  deepSleepSeconds: 3_600,
  lightSleepSeconds: 18_000,
  remSleepSeconds: 5_400,
  awakeSleepSeconds: 1_800,
  unmeasurableSeconds: 0,
  sleepScores: { overallScore: 80 },
};
const DAY = {
  calendarDate: "2024-05-01",
  wellnessStartTimeGmt: "2024-04-30T22:00:00.0",
  wellnessStartTimeLocal: "2024-05-01T00:00:00.0",
  totalSteps: 8_000,
  totalDistanceMeters: 6_100,
  activeKilocalories: 400,
  bmrKilocalories: 1_600,
  moderateIntensityMinutes: 12,
  vigorousIntensityMinutes: 3,
  floorsAscendedInMeters: 30.48,
  restingHeartRate: 52,
};
const exportedActivity = (id: number, startMs: number) => ({
  activityId: id,
  name: "Morning Run",
  activityType: "trail_running",
  beginTimestamp: startMs,
  startTimeLocal: startMs + twoHoursEast * 1000,
  duration: 600_000,
  distance: 200_000,
  avgSpeed: 0.333,
  avgHr: 100,
});
const ACTIVITIES = [
  {
    summarizedActivitiesExport: [
      exportedActivity(11, UNIX_START * 1000),
      exportedActivity(12, UNIX_START * 1000 + 86_400_000),
    ],
  },
];

test("a FIT file of an activity becomes a workout and its stream, in the same form as a push", async () => {
  const { first, second, records, bodies } = await importTwice({ "activity.fit": ACTIVITY }, false);
  expect(bodies[0]).toMatchObject({ provider: "garmin", source_type: "watch", device: { id: "Forerunner 245" } });
  expect(records.workouts).toEqual([
    expect.objectContaining({
      provider_id: `activity ${UNIX_START}`,
      time_start: "2024-05-01T06:00:00.000Z",
      time_end: "2024-05-01T06:10:00.000Z",
      timezone_offset: twoHoursEast,
      sport: { name: "Trail running", slug: "trail_running" },
      calories: 150,
      distance: 2_000,
      average_hr: 100,
      max_hr: 120,
    }),
  ]);
  expect(records.workout_stream).toEqual([
    expect.objectContaining({
      provider_id: `activity ${UNIX_START}`,
      time: [UNIX_START, UNIX_START + 1],
      heartrate: [100, 101],
      lat: [expect.closeTo(54, 5), expect.closeTo(54, 5)],
    }),
  ]);
  expect([first.stored, first.difference, second.unchanged, second.stored]).toEqual([2, 0, 2, 0]);
});

test("a FIT file of a watch, a scale and a cuff becomes samples with the local offset", async () => {
  const { first, records } = await importTwice({ "wellness.fit": WELLNESS }, false);
  const at = { timestamp: "2024-05-01T06:00:00.000Z", timezone_offset: twoHoursEast };
  expect(records).toMatchObject({
    heartrate: [
      { ...at, value: 60 },
      { timestamp: "2024-05-01T06:01:00.000Z", value: 61 },
    ],
    stress_level: [{ ...at, value: 0 }],
    respiratory_rate: [{ ...at, value: 14.5 }],
    blood_oxygen: [{ ...at, value: 97 }],
    hrv: [{ ...at, value: 45 }],
    sleep_cycle: [{ stage_type: [2, 1], stage_start_offset_second: [0, 600], stage_end_offset_second: [600, 900] }],
    body: [{ calendar_date: "2024-05-01", weight: 75.5, fat: 18.5 }],
    body_weight: [{ ...at, value: 75.5 }],
    blood_pressure: [{ ...at, systolic: 120, diastolic: 80 }],
    vo2_max: [{ timestamp: "2024-05-01T00:00:00Z", value: 45.5 }],
    body_temperature_delta: [{ value: 0.5 }],
  });
  expect(records.activity).toBeUndefined();
  expect(first.difference).toBe(0);
});

test("the zip of an account joins activities with their FIT files in zips of its own", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "garmin-")), "parts.zip");
  const parts = await readFile(await writeZip(path, { "user_1.fit": ACTIVITY, "cut.fit": ACTIVITY.slice(0, 60) }));
  const { first, second, records } = await importTwice({
    "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip": parts,
    "DI_CONNECT/DI-Connect-Fitness/u_1_summarizedActivities.json": JSON.stringify(ACTIVITIES),
    "DI_CONNECT/DI-Connect-Wellness/2024_sleepData.json": JSON.stringify([NIGHT, { calendarDate: "2024-05-03" }]),
    "DI_CONNECT/DI-Connect-Aggregator/UDSFile_2024.json": JSON.stringify([DAY]),
    "IT_GLOBAL/profile.json": "{}",
  });
  const workouts = (records.workouts ?? []).toSorted((a, b) => Number(a.provider_id) - Number(b.provider_id));
  expect(workouts.map(({ provider_id, title, calories }) => [provider_id, title, calories])).toEqual([
    ["11", "Morning Run", 150],
    ["12", "Morning Run", null],
  ]);
  expect(workouts[1]).toMatchObject({ distance: 2_000, average_speed: 3.33, timezone_offset: twoHoursEast });
  expect(records.workout_stream).toMatchObject([{ provider_id: "11" }]);
  expect(records.sleep).toMatchObject([
    {
      bedtime_start: "2024-05-01T21:30:00.000Z",
      bedtime_stop: "2024-05-02T05:30:00.000Z",
      calendar_date: "2024-05-02",
      total: 27_000,
      score: 80,
      state: "confirmed",
    },
  ]);
  expect(records.activity).toMatchObject([
    {
      calendar_date: "2024-05-01",
      timezone_offset: twoHoursEast,
      steps: 8_000,
      floors_climbed: 10,
      medium: 12,
      high: 3,
    },
  ]);
  expect(Object.fromEntries(first.leftOut)).toEqual({
    "other file (json)": 1,
    "part of an activity": 2,
    "record without values": 1,
    "damaged file": 1,
  });
  expect([first.difference, first.derived, second.stored]).toEqual([0, 1, 0]);
});

test("a damaged FIT file alone is an error without a stack", async () => {
  const changed = ACTIVITY.slice();
  changed[40] = 255 - (changed[40] ?? 0);
  await expect(importTwice({ "a.fit": changed }, false)).rejects.toThrow("The FIT file is damaged: File CRC mismatch.");
  await expect(importTwice({ "a.fit": ACTIVITY.slice(0, 60) }, false)).rejects.toThrow("exceeds input length");
});
