import { toBodyDays } from "../../domain/summaries/body-days.ts";
import type { PulledBatch, TimeWindow } from "../connector.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import type { ProviderClient } from "../provider-client.ts";
import { isDayWithin, widenToWholeDays, windowForDate } from "../window-dates.ts";
import { localDay, sumByDay, toInterval, toNight, toSample, toWorkout } from "./map.ts";
import { type DataType, listPoints, listValues } from "./points.ts";
import * as replies from "./replies.ts";

type Pull = (window: TimeWindow, client: ProviderClient) => AsyncGenerator<Batch>;
type Batch = Omit<PulledBatch, "source_type">;

const intervalType = (name: string, field: string) =>
  ({ name, time: "interval.start_time", value: replies.intervalValue(field) }) as const;
const sampleType = (name: string, field: string) =>
  ({ name, time: "sample_time.physical_time", value: replies.sampleValue(field) }) as const;

/** Sums up days. Reads beyond the window, so that no day is incomplete. */
async function* activity(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const wide = widenToWholeDays(window);
  const steps = await listValues(client, intervalType("steps", "count"), wide);
  const distance = await listValues(client, intervalType("distance", "millimeters"), wide);
  const energy = await listValues(client, intervalType("active-energy-burned", "kcal"), wide);
  const floors = await listValues(client, intervalType("floors", "count"), wide);
  const isWithin = ({ startTime }: replies.IntervalValue) => startsWithin(startTime, window);
  const samples = {
    steps: steps.filter(isWithin).map(toInterval()),
    distance: distance.filter(isWithin).map(toInterval(1 / 1000)),
    calories_active: energy.filter(isWithin).map(toInterval()),
    floors_climbed: floors.filter(isWithin).map(toInterval()),
  };
  yield { resources: samples };
  const resting = await fetchRestingHeartRates(wide, client);
  const series = [steps, distance, energy, floors];
  const [stepsOf, millimetresOf, energyOf, floorsOf] = series.map(sumByDay);
  const moved = series.flatMap((all) => all.filter((one) => overlapsDay(one, window)).map(localDateOf));
  const rested = [...resting.keys()].filter((date) => isDateWithin(date, wide));
  const days = new Set([...moved, ...rested]);
  const summaries = [...days].map((calendar_date) => ({
    calendar_date,
    steps: stepsOf?.get(calendar_date) ?? null,
    distance: metresOrNull(millimetresOf?.get(calendar_date)),
    calories_active: energyOf?.get(calendar_date) ?? null,
    floors_climbed: floorsOf?.get(calendar_date) ?? null,
    heart_rate: resting.has(calendar_date) ? { resting_bpm: resting.get(calendar_date) } : null,
  }));
  yield { resources: { activity: summaries } };
}

/** Whether a date is within a window in every time zone. */
function isDateWithin(date: string, { startMs, endMs }: TimeWindow): boolean {
  const day = windowForDate(date);
  return day.startMs >= startMs && day.endMs <= endMs;
}

const metresOrNull = (millimetres: number | undefined) => (millimetres === undefined ? null : millimetres / 1000);

function startsWithin(startTime: string, { startMs, endMs }: TimeWindow): boolean {
  const ms = Date.parse(startTime);
  return ms >= startMs && ms < endMs;
}

const localDateOf = ({ startTime, startUtcOffset }: replies.IntervalValue) => localDay(startTime, startUtcOffset);

const overlapsDay = ({ startTime, startUtcOffset }: replies.IntervalValue, window: TimeWindow) =>
  isDayWithin(Date.parse(startTime), startUtcOffset, window);

async function fetchRestingHeartRates(
  window: TimeWindow,
  client: ProviderClient,
): Promise<ReadonlyMap<string, number>> {
  const kind = { name: "daily-resting-heart-rate", time: "date", value: replies.restingHeartRate } as const;
  const all = await listValues(client, kind, window);
  const text = (part: number) => String(part).padStart(2, "0");
  return new Map(
    all.map(({ date, beatsPerMinute }) => [`${date.year}-${text(date.month)}-${text(date.day)}`, beatsPerMinute]),
  );
}

/** Pulls samples of one data type, page by page. */
const pullSamples = (resource: string, kind: DataType<ReturnType<typeof replies.sampleValue>>, factor = 1): Pull =>
  async function* (window, client) {
    for await (const page of listPoints(client, kind, window))
      yield { resources: { [resource]: page.map(({ value }) => toSample(factor)(value)) } };
  };

/** Summarizes days. Reads beyond the window, so that no day is incomplete. */
async function* body(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const wide = widenToWholeDays(window);
  const weights = await listValues(client, sampleType("weight", "weightGrams"), wide);
  const fats = await listValues(client, sampleType("body-fat", "percentage"), wide);
  const days = [
    ...weights.map((one) => ({ ...one, values: { weight: one.value / 1000 } })),
    ...fats.map((one) => ({ ...one, values: { fat: one.value } })),
  ].flatMap(({ physicalTime, utcOffset, values }) => {
    const atMs = Date.parse(physicalTime);
    const calendar_date = localDay(physicalTime, utcOffset);
    return isDayWithin(atMs, utcOffset, window) ? [{ calendar_date, atMs, values }] : [];
  });
  const isWithin = ({ physicalTime }: replies.SampleValue) => startsWithin(physicalTime, window);
  const resources = {
    body_weight: weights.filter(isWithin).map(toSample(1 / 1000)),
    body_fat: fats.filter(isWithin).map(toSample()),
    body: toBodyDays(days),
  };
  yield { resources };
}

async function* sleep(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  const kind = { name: "sleep", time: "interval.end_time", isByDevice: true, value: replies.sleep } as const;
  for await (const page of listPoints(client, kind, window)) {
    for (const { recorder, records } of groupByRecorder(page, (point) => point.recorder)) {
      const nights = records.map(({ name, value }) => toNight(name ?? `sleep ${value.interval.startTime}`, value));
      const resources = {
        sleep: nights.flatMap((night) => night.sleep),
        sleep_cycle: nights.flatMap((night) => night.sleep_cycle),
        sleep_stream: nights.flatMap((night) => night.sleep_stream),
      };
      yield { ...recorder, resources };
    }
  }
}

async function* workouts(window: TimeWindow, client: ProviderClient): AsyncGenerator<Batch> {
  // Filters of exercise support civil time only.
  const time = "interval.civil_start_time";
  const kind = { name: "exercise", time, isByDevice: true, value: replies.exercise } as const;
  for await (const page of listPoints(client, kind, window)) {
    const begun = page.filter(({ value }) => startsWithin(value.interval.startTime, window));
    for (const { recorder, records } of groupByRecorder(begun, (point) => point.recorder)) {
      const id = (point: (typeof records)[number]) => point.name ?? `exercise ${point.value.interval.startTime}`;
      yield { ...recorder, resources: { workouts: records.map((point) => toWorkout(id(point), point.value)) } };
    }
  }
}

/** The pull function of each resource. */
export const pulls: Readonly<Record<string, Pull>> = {
  activity,
  sleep,
  workouts,
  body,
  heartrate: pullSamples("heartrate", sampleType("heart-rate", "beatsPerMinute")),
  hrv: pullSamples("hrv", sampleType("heart-rate-variability", "rootMeanSquareOfSuccessiveDifferencesMilliseconds")),
  blood_oxygen: pullSamples("blood_oxygen", sampleType("oxygen-saturation", "percentage")),
  glucose: pullSamples(
    "glucose",
    sampleType("blood-glucose", "bloodGlucoseMilligramsPerDeciliter"),
    1 / MG_DL_PER_MMOL_L,
  ),
};
