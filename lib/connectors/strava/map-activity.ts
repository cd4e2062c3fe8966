import type * as z from "zod";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { stravaSports } from "../strava-sports.ts";
import type { Activity, athlete, Streams } from "./replies.ts";

/** Maps an activity to a workout: metres, seconds, watts and kcal in both models. */
export function toWorkout(done: Activity) {
  const startMs = Date.parse(done.start_date);
  // Strava writes the local start as if it were UTC.
  const localOffset = (Date.parse(done.start_date_local ?? "") - startMs) / 1000;
  const offset = done.utc_offset ?? (Number.isFinite(localOffset) ? localOffset : null);
  // Without a distance, zeros mean not measured.
  const moved = (value: number | null | undefined) => ((done.distance ?? 0) > 0 ? (value ?? null) : null);
  return {
    provider_id: String(done.id),
    title: done.name ?? null,
    ...(done.start_date_local == null ? {} : { calendar_date: done.start_date_local.slice(0, 10) }),
    time_start: formatUtc(startMs),
    time_end: formatUtc(startMs + done.elapsed_time * 1000),
    timezone_offset: roundOrNull(offset),
    sport: parseSport(stravaSports[done.sport_type ?? ""] ?? done.sport_type ?? ""),
    moving_time: roundOrNull(done.moving_time),
    distance: moved(done.distance),
    calories: done.calories ?? null,
    total_elevation_gain: moved(done.total_elevation_gain),
    elev_high: done.elev_high ?? null,
    elev_low: done.elev_low ?? null,
    average_speed: moved(done.average_speed),
    max_speed: moved(done.max_speed),
    average_hr: roundOrNull(done.average_heartrate),
    max_hr: roundOrNull(done.max_heartrate),
    average_watts: done.average_watts ?? null,
    max_watts: done.max_watts ?? null,
    weighted_average_watts: done.weighted_average_watts ?? null,
    map: done.map ? { polyline: done.map.polyline ?? null, summary_polyline: done.map.summary_polyline ?? null } : null,
  };
}

/** Maps streams; empty without times. Converts times from seconds after the start to Unix time. */
export function toStream({ id, start_date }: Activity, streams: Streams) {
  const begin = Math.round(Date.parse(start_date) / 1000);
  const time = streams.time?.data;
  if (!time || time.length === 0) return [];
  return [
    {
      provider_id: String(id),
      time: time.map((seconds) => begin + seconds),
      heartrate: streams.heartrate?.data.map(roundOrNull) ?? [],
      cadence: streams.cadence?.data ?? [],
      power: streams.watts?.data ?? [],
      altitude: streams.altitude?.data ?? [],
      velocity_smooth: streams.velocity_smooth?.data ?? [],
      distance: streams.distance?.data ?? [],
      temperature: streams.temp?.data ?? [],
      lat: streams.latlng?.data.map((place) => place?.[0] ?? null) ?? [],
      lng: streams.latlng?.data.map((place) => place?.[1] ?? null) ?? [],
    },
  ];
}

const sexes: Readonly<Record<string, string>> = { F: "female", M: "male" };

/** Maps the current profile and weight. @param date the date of the weight. */
export function toPerson({ sex, weight }: z.output<typeof athlete>, date: string) {
  return {
    profile: [{ sex: sexes[sex ?? ""] ?? null }],
    body: weight == null || weight === 0 ? [] : [{ calendar_date: date, weight }],
  };
}
