import type { ActivitySummary } from "./exported-activities.ts";
import { type FitMessage, secondsOf } from "./fit-message.ts";

/** Sports by sub-sport, where the sport alone says less. Names are those of the FIT profile. */
const subSports: Readonly<Record<string, string>> = {
  treadmill: "treadmill running",
  trail: "trail running",
  track: "track running",
  virtual_activity: "virtual",
  indoor_cycling: "indoor cycling",
  spin: "indoor cycling",
  road: "road cycling",
  mountain: "mountain biking",
  gravel_cycling: "gravel cycling",
  track_cycling: "track cycling",
  e_bike_fitness: "e biking",
  lap_swimming: "lap swimming",
  open_water: "open water swimming",
  indoor_rowing: "indoor rowing",
  elliptical: "elliptical",
  stair_climbing: "stair climbing",
  strength_training: "strength training",
  cardio_training: "cardio training",
  yoga: "yoga",
  pilates: "pilates",
  indoor_walking: "treadmill walking",
};

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/**
 * Converts a session of a FIT file to an activity of Garmin's API: kcal, m, m/s.
 * @param known the activity of the export's JSON file, which has the id and the name.
 */
export function toActivity(
  session: FitMessage,
  known: ActivitySummary | undefined,
  offset: number | null,
  deviceName: string | undefined,
) {
  const sport = subSports[String(session.sub_sport)] ?? String(session.sport ?? "workout");
  return {
    userId: "export",
    ...(known ? { summaryId: known.summaryId } : {}),
    activityName: known?.activityName ?? null,
    activityType: known?.activityType ?? sport,
    deviceName,
    startTimeInSeconds: secondsOf(session.start_time),
    startTimeOffsetInSeconds: offset ?? known?.startTimeOffsetInSeconds ?? null,
    durationInSeconds: Math.round(numberOf(session.total_elapsed_time) ?? numberOf(session.total_timer_time) ?? 0),
    activeKilocalories: numberOf(session.total_calories),
    distanceInMeters: numberOf(session.total_distance),
    averageHeartRateInBeatsPerMinute: numberOf(session.avg_heart_rate),
    maxHeartRateInBeatsPerMinute: numberOf(session.max_heart_rate),
    averageSpeedInMetersPerSecond: numberOf(session.enhanced_avg_speed) ?? numberOf(session.avg_speed),
    maxSpeedInMetersPerSecond: numberOf(session.enhanced_max_speed) ?? numberOf(session.max_speed),
    totalElevationGainInMeters: numberOf(session.total_ascent),
    steps: known?.steps ?? null,
  };
}
