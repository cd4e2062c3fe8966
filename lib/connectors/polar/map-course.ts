import { durationS, startOf } from "./map-workouts.ts";
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

/** Values of one kind, one every `rate` seconds. */
interface Values {
  readonly name: string;
  readonly factor: number;
  readonly rate: number;
  readonly texts: readonly string[];
}

/** A place, seconds after the begin. */
interface Place {
  readonly atS: number;
  readonly latitude: number;
  readonly longitude: number;
}

/**
 * The course of a workout: samples of the shortest interval, others where they are of the same time, places where they are
 * nearest; without samples the places by themselves.
 */
export function toWorkoutStream(done: Exercise) {
  const startS = Math.floor(startOf(done) / 1000);
  if (!Number.isFinite(startS)) return [];
  const [all, places] = [valuesOf(done), placesOf(done)];
  if (all.length === 0) return places.length === 0 ? [] : [{ provider_id: done.id, ...wayOf(places, startS) }];
  const rate = Math.min(...all.map((one) => one.rate));
  const length = Math.max(...all.map((one) => Math.round((one.rate / rate) * (one.texts.length - 1)) + 1));
  const offsets = Array.from({ length }, (_, place) => place * rate);
  const lists = all.map(({ name, factor, rate: own, texts }) => {
    const list = offsets.map((offset) => (offset % own === 0 ? read(texts[offset / own], factor) : null));
    return [name, name === "heartrate" ? list.map((bpm) => (bpm === null ? null : Math.round(bpm))) : list];
  });
  const time = offsets.map((offset) => startS + Math.floor(offset));
  return [{ provider_id: done.id, time, ...Object.fromEntries(lists), ...nearest(places, rate, length) }];
}

/** Samples that are read; what has no rate, as times between beats, is of no moment. */
function valuesOf({ samples }: Exercise): Values[] {
  return (samples ?? []).flatMap(({ "recording-rate": rate, "sample-type": type, data }) => {
    const column = columns[type];
    return column && rate != null && rate > 0 && data ? [{ ...column, rate, texts: data.split(",") }] : [];
  });
}

function placesOf({ route }: Exercise): Place[] {
  const places = (route ?? []).map(({ time, latitude, longitude }) => ({ atS: durationS(time), latitude, longitude }));
  return places.toSorted((one, other) => one.atS - other.atS);
}

function read(text: string | undefined, factor: number): number | null {
  return text === undefined || text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text) * factor;
}

const wayOf = (places: readonly Place[], startS: number) => ({
  time: places.map(({ atS }) => startS + Math.floor(atS)),
  lat: places.map(({ latitude }) => latitude),
  lng: places.map(({ longitude }) => longitude),
});

/** To each of `length` times, `rate` seconds apart, the place that is nearest to it, if one is nearer than half of that. */
function nearest(places: readonly Place[], rate: number, length: number) {
  if (places.length === 0) return {};
  const found: (Place | undefined)[] = Array.from({ length });
  const off = (place: Place, slot: number) => Math.abs(place.atS - slot * rate);
  for (const place of places) {
    const slot = Math.round(place.atS / rate);
    const other = found[slot];
    if (slot < length && (other === undefined || off(place, slot) < off(other, slot))) found[slot] = place;
  }
  return { lat: found.map((one) => one?.latitude ?? null), lng: found.map((one) => one?.longitude ?? null) };
}
