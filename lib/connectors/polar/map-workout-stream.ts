import { roundOrNull } from "../nullable-numbers.ts";
import { exerciseStartMs, parseDurationSeconds } from "./map-workouts.ts";
import type { Exercise } from "./replies.ts";

/** Stream columns by Polar's sample type. Converts speed from km/h to m/s. */
const columns: Readonly<Record<string, { readonly name: string; readonly factor: number }>> = {
  "0": { name: "heartrate", factor: 1 },
  "1": { name: "velocity_smooth", factor: 1 / 3.6 },
  "2": { name: "cadence", factor: 1 },
  "3": { name: "altitude", factor: 1 },
  "4": { name: "power", factor: 1 },
  // The cadence of running.
  "8": { name: "cadence", factor: 1 },
  "9": { name: "temperature", factor: 1 },
  "10": { name: "distance", factor: 1 },
};

/** A series of samples, one every `rate` seconds. */
interface SampleSeries {
  readonly name: string;
  readonly factor: number;
  readonly rate: number;
  readonly texts: readonly string[];
}

/** A point of the route, seconds after the start. */
interface RoutePoint {
  readonly atS: number;
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * Maps samples and route of an exercise to a workout stream. The grid has the shortest recording interval. Other series
 * fill their own times, route points the nearest time. Without samples the stream consists of the route points.
 */
export function toWorkoutStream(done: Exercise) {
  const startS = Math.floor(exerciseStartMs(done) / 1000);
  if (!Number.isFinite(startS)) return [];
  const [all, places] = [toSampleSeries(done), toRoutePoints(done)];
  if (all.length === 0) return places.length === 0 ? [] : [{ provider_id: done.id, ...toRouteColumns(places, startS) }];
  const rate = Math.min(...all.map((one) => one.rate));
  const length = Math.max(...all.map((one) => Math.round((one.rate / rate) * (one.texts.length - 1)) + 1));
  const offsets = Array.from({ length }, (_, place) => place * rate);
  const lists = all.map(({ name, factor, rate: own, texts }) => {
    const list = offsets.map((offset) => (offset % own === 0 ? readNumber(texts[offset / own], factor) : null));
    // A heart rate of zero means that the sensor was offline.
    return [name, name === "heartrate" ? list.map((bpm) => roundOrNull(bpm || null)) : list];
  });
  const time = offsets.map((offset) => startS + Math.floor(offset));
  return [{ provider_id: done.id, time, ...Object.fromEntries(lists), ...alignToGrid(places, rate, length) }];
}

/** Selects the supported samples, the first of a column. Skips samples without a rate, such as RR intervals. */
function toSampleSeries({ samples }: Exercise): SampleSeries[] {
  const all = (samples ?? []).flatMap(({ "recording-rate": rate, "sample-type": type, data }) => {
    const column = columns[type];
    return column && rate != null && rate > 0 && data ? [{ ...column, rate, texts: data.split(",") }] : [];
  });
  return all.filter(({ name }, place) => all.findIndex((one) => one.name === name) === place);
}

function toRoutePoints({ route }: Exercise): RoutePoint[] {
  const places = (route ?? []).map(({ time, latitude, longitude }) => ({
    atS: parseDurationSeconds(time),
    latitude,
    longitude,
  }));
  return places.toSorted((one, other) => one.atS - other.atS);
}

function readNumber(text: string | undefined, factor: number): number | null {
  return text === undefined || text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text) * factor;
}

const toRouteColumns = (places: readonly RoutePoint[], startS: number) => ({
  time: places.map(({ atS }) => startS + Math.floor(atS)),
  lat: places.map(({ latitude }) => latitude),
  lng: places.map(({ longitude }) => longitude),
});

/** Aligns points to a grid of `length` times, `rate` seconds apart: the nearest point within half a rate, or null. */
function alignToGrid(places: readonly RoutePoint[], rate: number, length: number) {
  if (places.length === 0) return {};
  const found: (RoutePoint | undefined)[] = Array.from({ length });
  const off = (place: RoutePoint, slot: number) => Math.abs(place.atS - slot * rate);
  for (const place of places) {
    const slot = Math.round(place.atS / rate);
    const other = found[slot];
    if (slot < length && (other === undefined || off(place, slot) < off(other, slot))) found[slot] = place;
  }
  return { lat: found.map((one) => one?.latitude ?? null), lng: found.map((one) => one?.longitude ?? null) };
}
