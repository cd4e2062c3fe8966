import { expect, test } from "vitest";
import { encodeFit, fitTime } from "./garmin/fit-file.ts";
import { importTwice } from "./import-run.ts";
import type { SampleFile } from "./sample-files.ts";

const lines = (...rows: readonly string[]) => `${rows.join("\n")}\n`;

const fit = (utc: string, local: string | null): SampleFile => [
  "a.fit",
  encodeFit(
    [0, [0, "Enum", 32]],
    [103, [253, "Uint32", fitTime(utc)], ...(local ? [[0, "Uint32", fitTime(local)] as const] : [])],
    [55, [253, "Uint32", fitTime(utc)], [27, "Uint8", 60]],
  ),
];
const fitbitNight = (startTime: string, dateOfSleep: string): SampleFile => [
  "sleep-1.json",
  JSON.stringify([{ logId: 1, dateOfSleep, startTime, duration: 28_800_000, minutesAsleep: 400 }]),
];
const samsung = (time: string, offset: string): SampleFile => [
  "weight.csv",
  lines("com.samsung.health.weight,1,2", "start_time,time_offset,weight", `${time},${offset},70`),
];
const whoop = (zone: string): SampleFile => [
  "sleeps.csv",
  lines(
    "Cycle start time,Cycle timezone,Sleep onset,Wake onset,Nap",
    `2024-05-01 22:00:00,${zone},2024-05-01 23:00:00,2024-05-02 07:00:00,false`,
  ),
];
const apple = (date: string, zone: string | null): SampleFile => [
  "export.xml",
  `<!DOCTYPE HealthData []><HealthData><Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" value="60" startDate="${date}" endDate="${date}">${zone ? `<MetadataEntry key="HKTimeZone" value="${zone}"/>` : ""}</Record></HealthData>`,
];

interface Case {
  readonly name: string;
  readonly file: SampleFile;
  readonly zone?: string;
  /** Resource and field of the time, and the record. */
  readonly resource: string;
  readonly field: string;
  readonly utc: string;
  readonly offset: number | null | undefined;
}

const night = { resource: "sleep", field: "bedtime_start" } as const;
const heart = { resource: "heartrate", field: "timestamp" } as const;
const weight = { resource: "body_weight", field: "timestamp" } as const;

const cases: readonly Case[] = [
  {
    name: "Apple, offset of the phone",
    file: apple("2024-05-01 08:00:00 +0530", null),
    ...heart,
    utc: "02:30",
    offset: undefined,
  },
  {
    name: "Apple, zone of the record",
    file: apple("2024-05-01 08:00:00 +0000", "America/St_Johns"),
    ...heart,
    utc: "08:00",
    offset: -9_000,
  },
  {
    name: "FIT, two clocks",
    file: fit("2024-05-01T06:00:00Z", "2024-05-01T11:45:00Z"),
    ...heart,
    utc: "06:00",
    offset: 20_700,
  },
  {
    name: "FIT, clocks some seconds apart",
    file: fit("2024-05-01T06:00:00Z", "2024-05-01T02:00:03Z"),
    ...heart,
    utc: "06:00",
    offset: -14_400,
  },
  { name: "FIT, one clock", file: fit("2024-05-01T06:00:00Z", null), ...heart, utc: "06:00", offset: null },
  {
    name: "Fitbit, summer",
    file: fitbitNight("2024-05-01T23:00:00.000", "2024-05-02"),
    zone: "Europe/Berlin",
    ...night,
    utc: "21:00",
    offset: 7_200,
  },
  {
    name: "Fitbit, clocks go forward",
    file: fitbitNight("2024-03-30T23:00:00.000", "2024-03-31"),
    zone: "Europe/Berlin",
    ...night,
    utc: "22:00",
    offset: 7_200,
  },
  {
    name: "Fitbit, clocks go back",
    file: fitbitNight("2023-10-28T23:00:00.000", "2023-10-29"),
    zone: "Europe/Berlin",
    ...night,
    utc: "21:00",
    offset: 3_600,
  },
  {
    name: "Fitbit, a time that exists twice is the earlier one",
    file: fitbitNight("2023-10-29T02:30:00.000", "2023-10-29"),
    zone: "Europe/Berlin",
    ...night,
    utc: "00:30",
    offset: 3_600,
  },
  {
    name: "Fitbit, west of Greenwich too",
    file: fitbitNight("2023-11-05T01:30:00.000", "2023-11-05"),
    zone: "America/New_York",
    ...night,
    utc: "05:30",
    offset: -18_000,
  },
  {
    name: "Fitbit, a time that the clock skips",
    file: fitbitNight("2024-03-31T02:30:00.000", "2024-03-31"),
    zone: "Europe/Berlin",
    ...night,
    utc: "01:30",
    offset: 7_200,
  },
  {
    name: "Fitbit, another day in UTC",
    file: fitbitNight("2024-05-01T02:00:00.000", "2024-05-01"),
    zone: "Asia/Tokyo",
    ...night,
    utc: "17:00",
    offset: 32_400,
  },
  {
    name: "Samsung, UTC+0545",
    file: samsung("2024-05-01 06:00:00.000", "UTC+0545"),
    ...weight,
    utc: "06:00",
    offset: 20_700,
  },
  {
    name: "Samsung, UTC-0330",
    file: samsung("2024-05-01 06:00:00.000", "UTC-0330"),
    ...weight,
    utc: "06:00",
    offset: -12_600,
  },
  { name: "Samsung, UTC+2", file: samsung("2024-05-01 06:00:00.000", "UTC+2"), ...weight, utc: "06:00", offset: 7_200 },
  {
    name: "Samsung, epoch milliseconds",
    file: samsung(String(Date.UTC(2024, 4, 1, 6)), "UTC+0000"),
    ...weight,
    utc: "06:00",
    offset: 0,
  },
  { name: "Samsung, no offset", file: samsung("2024-05-01 06:00:00.000", ""), ...weight, utc: "06:00", offset: null },
  { name: "WHOOP, UTC-05:00", file: whoop("UTC-05:00"), ...night, utc: "04:00", offset: -18_000 },
  { name: "WHOOP, UTC+05:30", file: whoop("UTC+05:30"), ...night, utc: "17:30", offset: 19_800 },
  { name: "WHOOP, UTCZ", file: whoop("UTCZ"), ...night, utc: "23:00", offset: 0 },
];

test.each(cases)("$name", async ({ file: [path, content], zone, resource, field, utc, offset }) => {
  const { records } = await importTwice({ [path]: content }, false, zone ? { zone } : {});
  const [record = {}] = records[resource] ?? [];
  expect(new Date(String(record[field])).toISOString().slice(11, 16)).toBe(utc);
  expect(record.timezone_offset).toBe(offset);
});
