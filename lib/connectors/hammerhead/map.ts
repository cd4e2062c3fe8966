import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { Activity, Session } from "./replies.ts";

/** Sports by type of activity; any other one is cycling. */
const sportNames: Readonly<Record<string, string>> = {
  GRAVEL: "gravel cycling",
  MTB: "mountain biking",
  MOUNTAIN: "mountain biking",
  INDOOR: "indoor cycling",
  EBIKE: "e biking",
  EMTB: "e mountain biking",
};

/** Maps an activity and the session of its FIT file: the units are those of the unified model. */
export function toWorkout({ id, name, activityType, polyline }: Activity, session: Session) {
  const startMs = session.start_time.getTime();
  // Without a distance, zeros mean not measured.
  const moved = (value: number | null | undefined) => (session.total_distance ? (value ?? null) : null);
  return {
    provider_id: id,
    title: name ?? null,
    time_start: formatUtc(startMs),
    time_end: formatUtc(startMs + session.total_elapsed_time * 1000),
    sport: parseSport(sportNames[activityType ?? ""] ?? "cycling"),
    distance: moved(session.total_distance),
    moving_time: roundOrNull(session.total_timer_time),
    calories: session.total_calories || null,
    total_elevation_gain: moved(session.total_ascent),
    average_speed: moved(session.enhanced_avg_speed ?? session.avg_speed),
    max_speed: moved(session.enhanced_max_speed ?? session.max_speed),
    average_hr: roundOrNull(session.avg_heart_rate || null),
    max_hr: roundOrNull(session.max_heart_rate || null),
    average_watts: session.avg_power || null,
    max_watts: session.max_power || null,
    map: polyline ? { polyline, summary_polyline: null } : null,
  };
}
