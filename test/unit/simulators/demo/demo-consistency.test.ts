import { describe, expect, test } from "vitest";
import { localDate } from "../../../../lib/domain/summaries/session.ts";
import type { DemoRequest } from "../../../../lib/simulators/demo/demo-batches.ts";
import {
  type DeliveredRecord,
  deliverDemoData,
  mean,
  samplesBetween,
  startMsOf,
  sum,
  valuesOf,
} from "./deliver-demo-data.ts";

const codes = { deep: 1, light: 2, rem: 3, awake: 4 };

/** The delivered days include both clock changes of Berlin. */
const requests: readonly DemoRequest[] = [
  { days: 30, endMs: Date.UTC(2026, 3, 20, 9, 17), seed: 21 },
  { days: 30, endMs: Date.UTC(2025, 10, 20, 23, 59), seed: 22 },
  { days: 30, endMs: Date.UTC(2026, 3, 20, 4), seed: 23 },
].map((request) => ({ ...request, timeZone: "Europe/Berlin" }));

describe.each(requests)("the watch of the person of seed $seed", (request) => {
  const delivery = deliverDemoData(request);
  const read = (resource: string): readonly DeliveredRecord[] => delivery.get(`watch ${resource}`) ?? [];
  const dateOf = (sample: DeliveredRecord): string => localDate(startMsOf(sample), sample.timezone_offset ?? null);

  test("activity of a day equals the sum of its samples", () => {
    const resources = ["steps", "distance", "calories_active", "calories_basal", "heartrate"];
    const byDate = new Map(resources.map((resource) => [resource, Map.groupBy(read(resource), dateOf)]));
    expect(read("activity")).toHaveLength(31);
    for (const { calendar_date: date, ...day } of read("activity")) {
      const values = (resource: string) => valuesOf(byDate.get(resource)?.get(date ?? "") ?? []);
      const total = (resource: string) => sum(values(resource));
      expect(day.steps).toBe(total("steps"));
      expect(day.distance).toBeCloseTo(total("distance"), 1);
      expect(day.calories_active).toBeCloseTo(total("calories_active"), 1);
      expect(day.calories_total).toBeCloseTo(total("calories_active") + total("calories_basal"), 1);
      const bpm = values("heartrate");
      expect(day.heart_rate).toMatchObject({ min_bpm: Math.min(...bpm), max_bpm: Math.max(...bpm) });
    }
  });

  test("a workout equals the sum of its samples", () => {
    expect(read("workouts").length).toBeGreaterThan(7);
    for (const workout of read("workouts")) {
      const during = (resource: string) =>
        valuesOf(samplesBetween(read(resource), workout.time_start, workout.time_end));
      expect(workout.distance).toBeCloseTo(sum(during("distance")), 1);
      expect(workout.calories).toBeCloseTo(sum(during("calories_active")), 1);
      expect(workout.steps).toBe(sum(during("steps")));
      expect(workout.average_hr).toBe(Math.round(mean(during("heartrate"))));
      expect(workout.max_hr).toBe(Math.max(...during("heartrate")));
      expect(during("heartrate")).toHaveLength(Number(workout.moving_time) / 60);
      expect(sum(workout.hr_zones as number[])).toBe(workout.moving_time);
    }
  });

  test("the stream of a workout contains its samples and ends with the workout", () => {
    const streams = new Map(read("workout_stream").map((stream) => [stream.provider_id, stream]));
    expect([...streams.keys()]).toEqual(read("workouts").map(({ provider_id }) => provider_id));
    for (const workout of read("workouts")) {
      const lists = streams.get(workout.provider_id) as unknown as Record<string, number[]>;
      const { time = [], heartrate = [], distance = [], velocity_smooth = [] } = lists;
      expect([time[0], time.at(-1)].map((s) => s! * 1000)).toEqual(
        [workout.time_start, workout.time_end].map((instant) => Date.parse(String(instant))),
      );
      const beats = samplesBetween(read("heartrate"), workout.time_start, workout.time_end);
      for (const [index, beat] of beats.entries()) {
        const point = time.indexOf(startMsOf(beat) / 1000);
        expect(heartrate[point]).toBe(beat.value);
        const next = beats[index + 1];
        if (next) expect(heartrate[point + 3]).toBe(Math.round(mean(valuesOf([beat, next]))));
      }
      for (const [index, metres] of distance.slice(1).entries()) {
        expect((metres - distance[index]!) / 10).toBeCloseTo(mean(velocity_smooth.slice(index, index + 2)), 0);
      }
      expect([Math.max(...heartrate), distance[0]]).toEqual([workout.max_hr, 0]);
      expect(distance.at(-1)).toBeCloseTo(Number(workout.distance), 1);
      expect(distance).toEqual(distance.toSorted((a, b) => a - b));
      expect(mean(velocity_smooth)).toBeCloseTo(Number(workout.average_speed), 1);
    }
  });

  test("the stream of a sleep contains the samples taken during the sleep", { tags: "deep" }, () => {
    const streams = new Map(read("sleep_stream").map((stream) => [stream.provider_id, stream]));
    expect([...streams.keys()]).toEqual(read("sleep").map(({ provider_id }) => provider_id));
    // Samples of the first night are delivered only for the part on the first day.
    for (const sleep of read("sleep").slice(1)) {
      for (const resource of ["heartrate", "hrv", "respiratory_rate", "hypnogram"]) {
        const samples = samplesBetween(read(resource), sleep.bedtime_start, sleep.bedtime_stop);
        expect(streams.get(sleep.provider_id)?.[resource]).toEqual(samples);
      }
    }
  });

  test("no movement sample crosses the start or end of a workout", () => {
    const edges = read("workouts").flatMap(({ time_start, time_end }) => [String(time_start), String(time_end)]);
    const crossed = read("distance").filter(({ start, end }) =>
      edges.some((edge) => Date.parse(start!) < Date.parse(edge) && Date.parse(edge) < Date.parse(end!)),
    );
    expect(crossed).toEqual([]);
  });

  test("the hypnogram covers each sleep without gaps and matches the durations of its stages", () => {
    for (const sleep of read("sleep")) {
      const segments = samplesBetween(read("hypnogram"), sleep.bedtime_start, sleep.bedtime_stop);
      expect(segments.map(({ end }) => end)).toEqual([
        ...segments.slice(1).map(({ start }) => start),
        sleep.bedtime_stop,
      ]);
      expect(segments[0]?.start).toBe(sleep.bedtime_start);
      for (const [stage, code] of Object.entries(codes)) {
        const lengths = segments.map(({ start, end, value }) =>
          value === code ? Date.parse(end!) - Date.parse(start!) : 0,
        );
        expect(sleep[stage]).toBe(sum(lengths) / 1000);
      }
      expect(sleep.total).toBe(Number(sleep.duration) - Number(sleep.awake));
    }
  });

  test("the heart and respiration values of a sleep match the samples taken during the sleep", { tags: "deep" }, () => {
    // The first night starts before the first delivered heart rate sample.
    for (const sleep of read("sleep").slice(1)) {
      const during = (resource: string) =>
        valuesOf(samplesBetween(read(resource), sleep.bedtime_start, sleep.bedtime_stop));
      expect(sleep.hr_lowest).toBe(Math.min(...during("heartrate")));
      expect(sleep.hr_average).toBe(Math.round(mean(during("heartrate"))));
      expect(sleep.average_hrv).toBeCloseTo(mean(during("hrv")), 0);
      expect(sleep.respiratory_rate).toBeCloseTo(mean(during("respiratory_rate")), 0);
    }
  });
});

test("a body summary matches the weight samples of its day", () => {
  const delivery = deliverDemoData({ days: 60, endMs: Date.UTC(2026, 3, 20, 12), seed: 23 });
  const weights = delivery.get("phone body_weight") ?? [];
  const bodies = delivery.get("phone body") ?? [];
  expect(weights.length).toBeGreaterThan(5);
  expect(bodies.map(({ calendar_date, weight }) => [calendar_date, weight])).toEqual(
    weights.map(({ timestamp, value }) => [timestamp?.slice(0, 10), value]),
  );
});
