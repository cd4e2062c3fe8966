import { expect, test } from "vitest";
import { importTwice } from "../import-run.ts";

const EXPORT = `<?xml version="1.0"?><!DOCTYPE HealthData []><HealthData locale="en_GB">
<Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="10" durationUnit="min" sourceName="Watch of Mia"
 startDate="2024-05-01 08:00:00 +0200" endDate="2024-05-01 08:10:00 +0200">
<WorkoutRoute sourceName="Watch of Mia"><FileReference path="/workout-routes/route_2024-05-01_8.10am.gpx"/></WorkoutRoute>
</Workout></HealthData>`;

const point = (time: string, lat: string, speed: string) =>
  `<trkpt lon="3.5" lat="${lat}"><ele>12.5</ele><time>${time}</time><extensions><speed>${speed}</speed></extensions></trkpt>`;
const gpx = (...points: string[]) =>
  `<?xml version="1.0"?><gpx version="1.1" creator="Apple Health Export"><metadata><time>2024-05-02T00:00:00Z</time></metadata><trk><name>Route</name><trkseg>${points.join("")}</trkseg></trk></gpx>`;
const ROUTE = gpx(point("2024-05-01T06:00:01Z", "54.1", "2.5"), point("2024-05-01T06:00:00Z", "54", "2"));

const ecg = (words: { recorded: string; classification: string; rate: string; unit: string; decimal?: string }) => {
  const { recorded, classification, rate, unit, decimal = "." } = words;
  const head = [
    "Name,Test Person",
    'Born,"Jan 1, 1990"',
    `Recorded,${recorded}`,
    `Class,${classification}`,
    "Symptoms,",
  ];
  const about = ["Software,1.90", 'Device,"Watch6,1"', `Rate,${rate}`, "", "Lead,Lead I", `Unit,${unit}`, ""];
  const quote = decimal === "," ? '"' : "";
  const volts = Array.from({ length: 4 }, (_, index) => `${quote}${index * 100}${decimal}5${quote}`);
  return [...head, ...about, ...volts, ""].join("\n");
};
const ENGLISH = ecg({
  recorded: "2024-05-01 22:15:00 +0200",
  classification: "Sinus Rhythm",
  rate: "500 hertz",
  unit: "µV",
});

test("a route becomes the stream of its workout, in order of time", async () => {
  const { first, second, records } = await importTwice({
    "apple_health_export/workout-routes/route_2024-05-01_8.10am.gpx": ROUTE,
    "apple_health_export/workout-routes/route_other.gpx": ROUTE,
    "apple_health_export/export.xml": EXPORT,
  });
  const [workout] = records.workouts ?? [];
  const start = Date.UTC(2024, 4, 1, 6) / 1000;
  expect(records.workout_stream).toEqual([
    {
      provider_id: workout?.provider_id,
      time: [start, start + 1],
      lat: [54, 54.1],
      lng: [3.5, 3.5],
      altitude: [12.5, 12.5],
      velocity_smooth: [2, 2.5],
    },
  ]);
  expect(Object.fromEntries(first.leftOut)).toEqual({ "route without workout": 1 });
  expect([first.stored, first.difference, second.stored, second.unchanged]).toEqual([2, 0, 0, 2]);
});

test("an electrocardiogram becomes a summary and its voltages in mV", async () => {
  const { first, second, records } = await importTwice({ "apple_health_export/electrocardiograms/e.csv": ENGLISH });
  expect(records.electrocardiogram).toEqual([
    {
      session_start: "2024-05-01T20:15:00.000Z",
      session_end: "2024-05-01T20:15:00.008Z",
      voltage_sample_count: 4,
      sampling_frequency_hz: 500,
      classification: "sinus_rhythm",
      inconclusive_cause: null,
      source_device_model: "Watch6,1",
    },
  ]);
  expect(records.electrocardiogram_voltage?.map(({ timestamp, value }) => [timestamp, value])).toEqual([
    ["2024-05-01T20:15:00.000Z", 0.0005],
    ["2024-05-01T20:15:00.002Z", 0.1005],
    ["2024-05-01T20:15:00.004Z", 0.2005],
    ["2024-05-01T20:15:00.006Z", 0.3005],
  ]);
  expect(first).toMatchObject({ read: 5, stored: 5, difference: 0 });
  expect(second).toMatchObject({ stored: 0, unchanged: 5, difference: 0 });
});

test("an electrocardiogram of another language keeps its voltages, without a classification", async () => {
  const german = ecg({
    recorded: "2024-01-01 07:00:00 +0100",
    classification: "Sinusrhythmus",
    rate: '"512,5 Hertz"',
    unit: "µV",
    decimal: ",",
  });
  const { records } = await importTwice({ "ecg.csv": german }, false);
  expect(records.electrocardiogram?.[0]).toMatchObject({ classification: null, sampling_frequency_hz: 512.5 });
  expect(records.electrocardiogram_voltage?.map(({ value }) => value)).toEqual([0.0005, 0.1005, 0.2005, 0.3005]);
});

test("a damaged file beside whole ones is counted and named; alone it is an error", async () => {
  const { first } = await importTwice({
    "workout-routes/route_2024-05-01_8.10am.gpx": ROUTE.slice(0, -20),
    "electrocardiograms/short.csv": ENGLISH.slice(0, ENGLISH.lastIndexOf("\n\n")),
    "export.xml": EXPORT,
  });
  expect(Object.fromEntries(first.leftOut)).toEqual({ "damaged file": 2 });
  expect(first.damaged.map(({ path }) => path).sort()).toEqual([
    "electrocardiograms/short.csv",
    "workout-routes/route_2024-05-01_8.10am.gpx",
  ]);
  expect(first.difference).toBe(0);
  const alone = importTwice({ "ecg.csv": ENGLISH.slice(0, ENGLISH.lastIndexOf("\n\n")) }, false);
  await expect(alone).rejects.toThrow("The electrocardiogram is incomplete.");
});
