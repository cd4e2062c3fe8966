import { type MetadataEntry, metadataXml, timesXml } from "./export-record.ts";
import type { TruthWorkout } from "./export-truth.ts";
import { createRandom, type Random, wholeNumber } from "./random.ts";
import { createSource, type Source } from "./record-sources.ts";
import type { Timeline } from "./timeline.ts";
import { decimalText } from "./xml-text.ts";

const ACTIVITIES = [
  { activity: "Running", distanceType: "DistanceWalkingRunning", kmPerHour: 10 },
  { activity: "Cycling", distanceType: "DistanceCycling", kmPerHour: 24 },
  { activity: "TraditionalStrengthTraining", distanceType: undefined, kmPerHour: 0 },
  { activity: "Walking", distanceType: "DistanceWalkingRunning", kmPerHour: 5 },
];

/** A workout with its XML. */
export type WorkoutXml = { xml: string; workout: TruthWorkout };

/** Four workouts in ten days, at least two. */
export function countWorkouts(days: number): number {
  return Math.max(2, Math.floor(days * 0.4));
}

/** Workout number `index`; the last one is a run whose `<WorkoutRoute>` names the archive's track file. */
export function createWorkout(index: number, timeline: Timeline, seed: string): WorkoutXml {
  const all = countWorkouts(timeline.days);
  const random = createRandom(`${seed} workout ${index}`);
  const { activity, distanceType, kmPerHour } = ACTIVITIES[(all - 1 - index) % ACTIVITIES.length]!;
  const day = Math.floor((index * timeline.days) / all);
  const start = timeline.moment(day + 17.5 / 24) + wholeNumber(random, 0, 3600) * 1000;
  const movingS = wholeNumber(random, 20 * 60, 75 * 60);
  const end = start + (movingS + PAUSE_S) * 1000;
  const workout: TruthWorkout = {
    activityType: `HKWorkoutActivityType${activity}`,
    start,
    end,
    offsetS: timeline.offsetAt(start),
    durationMin: movingS / 60,
    distanceKm: distanceType === undefined ? null : rounded((kmPerHour * movingS) / 3600),
    energyCal: rounded((movingS / 60) * (6 + 6 * random())),
  };
  const source = createSource("watch", index / all, random);
  const totalsAsAttributes = index < all / 3;
  const parts = [
    metadataXml(workoutMetadata(workout, timeline), "  "),
    eventsXml(workout, timeline),
    statisticsXml(workout, distanceType, random, timeline),
    index === all - 1 ? routeXml(workout, source, timeline) : "",
  ];
  return { workout, xml: workoutXml(workout, source, totalsAsAttributes, parts.join(""), timeline) };
}

/** Name of a workout's track file, by the local time of its end: `route_2024-06-30_6.12pm.gpx`. */
export function routeFileName(endMs: number, timeline: Timeline): string {
  const [date, time] = timeline.format(endMs).split(" ") as [string, string];
  const hour = Number(time.slice(0, 2));
  return `route_${date}_${hour % 12 || 12}.${time.slice(3, 5)}${hour < 12 ? "am" : "pm"}.gpx`;
}

const PAUSE_S = 90;

/** `duration` excludes the pause, so it is shorter than end minus start. Exports before iOS 16 have totals here. */
function workoutXml(
  workout: TruthWorkout,
  source: Source,
  totalsAsAttributes: boolean,
  inner: string,
  timeline: Timeline,
): string {
  const { activityType, durationMin, distanceKm, energyCal } = workout;
  const distance = distanceKm === null ? "" : ` totalDistance="${distanceKm}" totalDistanceUnit="km"`;
  const totals = totalsAsAttributes ? `${distance} totalEnergyBurned="${energyCal}" totalEnergyBurnedUnit="Cal"` : "";
  const duration = `duration="${durationMin}" durationUnit="min"`;
  const attributes = `workoutActivityType="${activityType}" ${duration}${totals} ${source.attributes}`;
  return ` <Workout ${attributes} ${spanXml(workout, timeline)}>\n${inner} </Workout>\n`;
}

function workoutMetadata(workout: TruthWorkout, timeline: Timeline): MetadataEntry[] {
  return [
    ["HKIndoorWorkout", workout.distanceKm === null ? "1" : "0"],
    ["HKTimeZone", timeline.zoneAt(workout.start)],
    ["HKAverageMETs", "7.4 kcal/hr·kg"],
    ["HKWeatherTemperature", "61 degF"],
  ];
}

function eventsXml({ start, end }: TruthWorkout, timeline: Timeline): string {
  const pauseMs = start + 600_000;
  const event = (type: string, ms: number, more = "") =>
    `  <WorkoutEvent type="HKWorkoutEventType${type}" date="${timeline.format(ms)}"${more}/>\n`;
  return [
    event("Segment", start, ` duration="${decimalText((end - start) / 60_000, 6)}" durationUnit="min"`),
    event("Pause", pauseMs),
    event("Resume", pauseMs + PAUSE_S * 1000),
  ].join("");
}

function statisticsXml(
  workout: TruthWorkout,
  distanceType: string | undefined,
  random: Random,
  timeline: Timeline,
): string {
  const between = `startDate="${timeline.format(workout.start)}" endDate="${timeline.format(workout.end)}"`;
  const line = (type: string, figures: string) =>
    `  <WorkoutStatistics type="HKQuantityTypeIdentifier${type}" ${between} ${figures}/>\n`;
  const average = wholeNumber(random, 105, 150) + 0.25;
  const extremes = `minimum="${wholeNumber(random, 70, 90)}" maximum="${wholeNumber(random, 160, 185)}"`;
  return [
    line("ActiveEnergyBurned", `sum="${workout.energyCal}" unit="Cal"`),
    distanceType === undefined ? "" : line(distanceType, `sum="${workout.distanceKm}" unit="km"`),
    line("HeartRate", `average="${average}" ${extremes} unit="count/min"`),
  ].join("");
}

function routeXml(workout: TruthWorkout, source: Source, timeline: Timeline): string {
  const path = `/workout-routes/${routeFileName(workout.end, timeline)}`;
  const open = `  <WorkoutRoute ${source.attributes} ${spanXml(workout, timeline)}>\n`;
  return `${open}   <FileReference path="${path}"/>\n  </WorkoutRoute>\n`;
}

function spanXml({ start, end }: TruthWorkout, timeline: Timeline): string {
  return timesXml({ createdMs: end + 5000, startMs: start, endMs: end }, timeline);
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
