import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { stravaSports } from "../strava-sports.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { Activity, Streams } from "./replies.ts";

/** Names of sports that differ from the unified model. */
const sports: Readonly<Record<string, string>> = { ...stravaSports, OpenWaterSwim: "open_water_swimming" };

/** Maps an activity to a workout: metres, seconds, watts and kcal in both models. Empty without an instant. */
export function toWorkout(done: Activity) {
  const start = parseInstant(done.start_date);
  const seconds = done.elapsed_time ?? done.moving_time;
  if (!start || seconds == null) return [];
  const local = parseInstant(`${done.start_date_local}Z`);
  const offset = local ? Math.round((local.ms - start.ms) / 1000) : zoneOffset(done.timezone, start.ms);
  // Without a distance, zeros mean not measured.
  const moved = (value: number | null | undefined) => ((done.distance ?? 0) > 0 ? (value ?? null) : null);
  return [
    {
      provider_id: String(done.id),
      title: done.name ?? null,
      ...(local ? { calendar_date: done.start_date_local?.slice(0, 10) } : {}),
      time_start: formatUtc(start.ms),
      time_end: formatUtc(start.ms + seconds * 1000),
      timezone_offset: offset,
      sport: parseSport(sports[done.type ?? ""] ?? done.type ?? ""),
      moving_time: roundOrNull(done.moving_time),
      distance: moved(done.distance),
      total_elevation_gain: moved(done.total_elevation_gain),
      elev_high: moved(done.max_altitude),
      elev_low: moved(done.min_altitude),
      average_speed: moved(done.average_speed),
      max_speed: moved(done.max_speed),
      average_hr: roundOrNull(done.average_heartrate),
      max_hr: roundOrNull(done.max_heartrate),
      average_watts: done.icu_average_watts ?? null,
      weighted_average_watts: done.icu_weighted_avg_watts ?? null,
      calories: done.calories ?? null,
    },
  ];
}

/** Maps streams; empty without times. Converts times from seconds after the start to Unix time. */
export function toStream({ id, start_date }: Activity, streams: Streams) {
  const start = parseInstant(start_date);
  const of = (type: string) => streams.find((one) => one.type === type);
  const times = of("time")?.data ?? [];
  if (!start || times.length === 0 || times.includes(null)) return [];
  const begin = Math.floor(start.ms / 1000);
  const list = (type: string) => of(type)?.data ?? [];
  return [
    {
      provider_id: String(id),
      time: times.map((seconds) => begin + Number(seconds)),
      cadence: list("cadence"),
      power: list("watts"),
      altitude: list("altitude"),
      distance: list("distance"),
      heartrate: list("heartrate").map(roundOrNull),
      velocity_smooth: list("velocity_smooth"),
      temperature: list("temp"),
      lat: list("latlng"),
      lng: of("latlng")?.data2 ?? [],
    },
  ];
}
