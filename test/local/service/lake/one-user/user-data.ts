import type { BatchResources } from "../../ingest/ingest-batch.ts";

/** Days of the sheet. */
export const days = ["2026-05-01", "2026-05-02", "2026-05-03"] as const;

const DAY_MS = 86_400_000;
/** Ten minutes between two heart rates. */
const INTERVAL_MS = 600_000;

/** Heart rates of a day: lower at night, with a workout in the evening. */
const heartRatesOf = (day: string, place: number) =>
  Array.from({ length: DAY_MS / INTERVAL_MS }, (_, slot) => {
    const hour = (slot * INTERVAL_MS) / 3_600_000;
    const value = hour < 6 ? 52 : hour >= 18 && hour < 19 ? 131 : 68;
    return {
      timestamp: new Date(Date.parse(`${day}T00:00:00Z`) + slot * INTERVAL_MS).toISOString(),
      value: value + ((slot * 7 + place * 3) % 11),
    };
  });

/** A night that ends on the morning of a day, seconds. */
const nightOf = (day: string, place: number) => {
  const [light, rem, deep] = [13_800 + place * 300, 5_400, 4_500 - place * 120];
  const awake = 1_200 + place * 60;
  const asleep = light + rem + deep;
  const stop = Date.parse(`${day}T06:30:00Z`);
  return {
    calendar_date: day,
    bedtime_start: new Date(stop - (asleep + awake) * 1000).toISOString(),
    bedtime_stop: new Date(stop).toISOString(),
    timezone_offset: 0,
    type: "long_sleep",
    duration: asleep + awake,
    total: asleep,
    ...{ awake, light, rem, deep, efficiency: 92.5, hr_lowest: 47 + place },
  };
};

/** What the phone of the user of the sheet sends. */
export const userData: BatchResources = {
  heartrate: days.flatMap(heartRatesOf),
  blood_pressure: days.map((day, place) => ({ timestamp: `${day}T07:05:00Z`, systolic: 121 + place, diastolic: 79 })),
  glucose: days.map((day, place) => ({ timestamp: `${day}T12:30:00Z`, value: 5.4 + place * 0.3, unit: "mmol/L" })),
  body_weight: days.map((day, place) => ({ timestamp: `${day}T07:00:00Z`, value: 71.4 - place * 0.2, unit: "kg" })),
  activity: days.map((day, place) => ({
    calendar_date: day,
    steps: 8_421 + place * 512,
    distance: 6_105.5 + place * 400,
    calories_active: 512.5 + place * 20,
    heart_rate: { resting_bpm: 53 + place },
  })),
  sleep: days.map(nightOf),
};
