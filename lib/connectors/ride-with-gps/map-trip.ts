import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { TrackPoint, Trip } from "./replies.ts";

const KMH_PER_MPS = 3.6;

/** Sports by activity type, where neither of its two parts is the name of the sport. */
const sportNames: Readonly<Record<string, string>> = {
  "cycling:road": "cycling",
  "cycling:gravel": "gravel cycling",
  "cycling:mountain": "mountain biking",
  "cycling:recumbent": "recumbent cycling",
  "cycling:hand_cycling": "handcycling",
  "cycling:commute": "cycling",
  "cycling:indoor": "indoor cycling",
  "cycling:virtual": "virtual cycling",
  "e_biking:road": "e biking",
  "e_biking:mountain": "e biking",
  "running:road": "running",
  "running:trail": "trail running",
  "running:indoor": "treadmill running",
  "walking:indoor": "treadmill walking",
  "walking:speed": "speed walking",
  "swimming:lap": "swimming",
  "swimming:open_water": "open water swimming",
  "motorcycling:atv": "motorcycling",
  "motorcycling:motocross": "motorcycling",
  "training:strength": "strength training",
  "training:cardio": "cardio training",
  "other:generic": "workout",
  "unknown:generic": "workout",
};

/** The sport of an activity type such as `cycling:gravel`. */
function toSport(type: string) {
  const [kind = "", variety = "generic"] = type.split(":");
  return parseSport(sportNames[type] ?? (variety === "generic" ? kind : variety));
}

const toMetresPerSecond = (kmh: number | null | undefined) => (kmh == null ? null : kmh / KMH_PER_MPS);

/** Maps a trip to a workout: metres, seconds, watts and kcal in both models, km/h to m/s. */
export function toWorkout(trip: Trip) {
  const start = parseInstant(trip.departed_at);
  if (!start) return [];
  // Without a distance, zeros mean not measured.
  const moved = (value: number | null | undefined) => ((trip.distance ?? 0) > 0 ? (value ?? null) : null);
  return [
    {
      provider_id: String(trip.id),
      title: trip.name ?? null,
      time_start: formatUtc(start.ms),
      time_end: formatUtc(start.ms + trip.duration * 1000),
      timezone_offset: zoneOffset(trip.time_zone, start.ms) ?? start.offsetS,
      sport: toSport(trip.activity_type || "unknown:generic"),
      moving_time: roundOrNull(trip.moving_time),
      distance: moved(trip.distance),
      total_elevation_gain: moved(trip.elevation_gain),
      average_speed: moved(toMetresPerSecond(trip.avg_speed)),
      max_speed: moved(toMetresPerSecond(trip.max_speed)),
      average_hr: roundOrNull(trip.avg_hr || null),
      max_hr: roundOrNull(trip.max_hr || null),
      average_watts: trip.avg_watts ?? null,
      max_watts: trip.max_watts ?? null,
      calories: trip.calories || null,
    },
  ];
}

const columns: Readonly<Record<string, (point: TrackPoint) => number | null | undefined>> = {
  lat: ({ y }) => y,
  lng: ({ x }) => x,
  distance: ({ d }) => d,
  altitude: ({ e }) => e,
  velocity_smooth: ({ s }) => toMetresPerSecond(s),
  temperature: (point) => point.T,
  heartrate: ({ h }) => roundOrNull(h || null),
  cadence: ({ c }) => c,
  power: ({ p }) => p,
};

/** Maps track points to a stream; empty without times. */
export function toStream({ id, track_points }: Trip) {
  const points = (track_points ?? []).filter(({ t }) => t != null).toSorted((a, b) => Number(a.t) - Number(b.t));
  if (points.length === 0) return [];
  const lists = Object.entries(columns).map(([name, read]) => {
    const values = points.map((point) => read(point) ?? null);
    return [name, values.every((value) => value === null) ? [] : values] as const;
  });
  return [
    { provider_id: String(id), time: points.map(({ t }) => Math.floor(Number(t))), ...Object.fromEntries(lists) },
  ];
}
