import { expect, test } from "vitest";
import { between, pullAnswered, recordsOf } from "./answered-pull.ts";

const window = between("2026-05-01T00:00:00Z", "2026-05-03T00:00:00Z");
const interval = (startTime: string, endTime: string) => ({
  interval: { startTime, startUtcOffset: "0s", endTime, endUtcOffset: "0s" },
});
const ride = interval("2026-05-02T10:00:00Z", "2026-05-02T10:15:00Z");
const rested = (day: number) => ({
  dailyRestingHeartRate: { date: { year: 2026, month: 5, day }, beatsPerMinute: String(50 + day) },
});
const pull = (points: Readonly<Record<string, readonly object[]>>) =>
  pullAnswered(["google_health", "activity"], window, ({ pathname }) => ({
    dataPoints: points[pathname.split("/").at(-2) ?? ""] ?? [],
  }));

test("a day without steps has an activity with its distance, energy and floors", async () => {
  const { batches } = await pull({
    distance: [{ distance: { ...ride, millimeters: "5000000" } }],
    "active-energy-burned": [{ activeEnergyBurned: { ...ride, kcal: 120.5 } }],
    "daily-resting-heart-rate": [rested(2)],
  });
  expect(recordsOf(batches, "activity")).toEqual([
    {
      ...{ calendar_date: "2026-05-02", steps: null, distance: 5000, calories_active: 120.5, floors_climbed: null },
      heart_rate: { resting_bpm: 52 },
    },
  ]);
});

test("a day of which only the resting heart rate is known has an activity, if the day was read as a whole", async () => {
  const { batches } = await pull({ "daily-resting-heart-rate": [29, 30, 1, 2, 3, 4].map(rested) });
  const dates = recordsOf(batches, "activity").map(({ calendar_date }) => calendar_date);
  expect(dates).toEqual(["2026-05-01", "2026-05-02", "2026-05-03"]);
});
