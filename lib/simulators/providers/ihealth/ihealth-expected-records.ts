import { selectAvailableData } from "../synthetic-data/available-data.ts";
import {
  type ExpectedRecords,
  expectedActivity,
  expectedBody,
  expectedGlucoseSamples,
  expectedPointSamples,
  expectedSleep,
  omitFields,
  pickFields,
} from "../synthetic-data/expected-records.ts";
import type { SyntheticDay, SyntheticPerson, SyntheticReading } from "../synthetic-data/synthetic-person.ts";
import { listPricks, morningOf } from "./ihealth-readings.ts";

/** Expected records of the cuff, the scale, the glucometer, the oximeter and the tracker. */
export function expectedIhealthRecords(
  person: SyntheticPerson,
  days: readonly SyntheticDay[],
  nowMs: number,
): ExpectedRecords {
  const { nights, over } = selectAvailableData(days, nowMs);
  const read = (list: (day: SyntheticDay) => readonly SyntheticReading[]) =>
    days.flatMap(list).filter(({ atMs }) => atMs <= nowMs);
  const pressures = days.filter((day) => morningOf(day).bloodPressureMs <= nowMs);
  return {
    blood_pressure: pressures.map((day) => ({
      ...omitFields(expectedPointSamples([{ atMs: morningOf(day).bloodPressureMs, value: 0 }])[0] ?? {}, "value"),
      systolic: day.systolic,
      diastolic: day.diastolic,
    })),
    heartrate: expectedPointSamples(
      read((day) => [
        { atMs: morningOf(day).bloodPressureMs, value: day.restingBpm },
        { atMs: morningOf(day).bloodOxygenMs, value: day.restingBpm + 2 },
      ]),
    ),
    blood_oxygen: expectedPointSamples(
      read((day) => [{ atMs: morningOf(day).bloodOxygenMs, value: day.oxygenPercent }]),
    ),
    glucose: expectedGlucoseSamples(read((day) => listPricks(person, day))),
    body_weight: expectedPointSamples(read((day) => [{ atMs: morningOf(day).weightMs, value: day.weightG / 1000 }])),
    body_fat: expectedPointSamples(read((day) => [{ atMs: morningOf(day).weightMs, value: day.fatPercent }])),
    body: days.filter((day) => morningOf(day).weightMs <= nowMs).map(expectedBody),
    activity: over.map((day) =>
      pickFields(expectedActivity(day), "calendar_date", "steps", "distance", "calories_total"),
    ),
    sleep: nights.map((day) => pickFields(expectedSleep(day.sleep, day), ...sleepFields)),
  };
}

const sleepFields = ["calendar_date", "bedtime_start", "bedtime_stop", "timezone_offset", "duration", "total"];
