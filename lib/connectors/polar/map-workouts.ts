import { formatInstant } from "../../domain/timeseries/instant.ts";
import { sportOf } from "../sport-names.ts";
import type { Exercise } from "./replies.ts";

/** The columns of streams, by types of samples; speed is km/h there and m/s here. */
const columns: Readonly<Record<string, { readonly name: string; readonly factor: number }>> = {
  "0": { name: "heartrate", factor: 1 },
  "1": { name: "velocity_smooth", factor: 1 / 3.6 },
  "2": { name: "cadence", factor: 1 },
  "3": { name: "altitude", factor: 1 },
  "4": { name: "power", factor: 1 },
  "10": { name: "distance", factor: 1 },
};

/** Seconds of a duration as ISO 8601 writes it; there is nothing longer than a day. */
export function durationS(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = /^PT(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}

/** When an exercise began, epoch ms: its time is that of the user's clocks, its offset minutes. */
export function startOf({ start_time, start_time_utc_offset }: Exercise): number {
  return Date.parse(`${start_time}Z`) - start_time_utc_offset * 60_000;
}

/** A workout: energy is kcal and distance metres on both sides. */
export function toWorkout(done: Exercise) {
  const startMs = startOf(done);
  const whole = (value: number | null | undefined) => (value == null ? null : Math.round(value));
  return {
    provider_id: done.id,
    time_start: formatInstant(startMs),
    time_end: formatInstant(startMs + durationS(done.duration) * 1000),
    timezone_offset: done.start_time_utc_offset * 60,
    sport: sportOf(done.detailed_sport_info ?? done.sport ?? ""),
    calories: done.calories ?? null,
    distance: done.distance ?? null,
    average_hr: whole(done.heart_rate?.average),
    max_hr: whole(done.heart_rate?.maximum),
  };
}

/** The course of a workout: samples of one interval; others, and places on the way, where they are of the same time. */
export function toWorkoutStream(done: Exercise) {
  const startS = Math.floor(startOf(done) / 1000);
  const samples = (done.samples ?? []).flatMap((one) => {
    const column = columns[one["sample-type"]];
    return column && one["recording-rate"] > 0 ? [{ ...column, rate: one["recording-rate"], data: one.data }] : [];
  });
  const rate = Math.min(...samples.map((one) => one.rate));
  const values = samples.map(({ data, ...one }) => ({ ...one, values: data.split(",") }));
  const length = Math.max(0, ...values.map((one) => (one.rate / rate) * (one.values.length - 1) + 1));
  if (length === 0) return [];
  const offsets = Array.from({ length }, (_, place) => place * rate);
  const read = (text: string | undefined, factor: number) =>
    text === undefined || text === "" || Number.isNaN(Number(text)) ? null : Number(text) * factor;
  const lists = values.map(({ name, factor, rate: own, values: texts }) => {
    const list = offsets.map((offset) => (offset % own === 0 ? read(texts[offset / own], factor) : null));
    return [name, name === "heartrate" ? list.map((bpm) => (bpm === null ? null : Math.round(bpm))) : list];
  });
  const time = offsets.map((offset) => startS + offset);
  return [{ provider_id: done.id, time, ...Object.fromEntries(lists), ...placesOf(done, offsets) }];
}

function placesOf({ route }: Exercise, offsets: readonly number[]) {
  if (!route || route.length === 0) return {};
  const byOffset = new Map(route.map((point) => [durationS(point.time), point]));
  return {
    lat: offsets.map((offset) => byOffset.get(offset)?.latitude ?? null),
    lng: offsets.map((offset) => byOffset.get(offset)?.longitude ?? null),
  };
}
