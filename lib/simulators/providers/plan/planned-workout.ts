import { type Draw, wholeBetween } from "../../demo/draws.ts";
import { MINUTE_MS, type ZoneDays } from "../../demo/zone-days.ts";

/** A sport, by its slug in the unified model. */
export interface PlannedSport {
  readonly slug: "running" | "cycling" | "walking" | "strength_training";
  readonly name: string;
  /** 0 for stationary sports. */
  readonly metresPerSecond: number;
  /** Steps or revolutions per minute. */
  readonly cadence: number;
  /** True if power is measured. */
  readonly hasPower: boolean;
  readonly kcalPerMinute: number;
  readonly bpm: number;
}

/** A track point, 10 seconds after the previous one. */
export interface PlannedPoint {
  readonly atMs: number;
  readonly bpm: number;
  readonly distanceM: number;
  readonly altitudeM: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly watts: number;
  readonly cadence: number;
}

/** A synthetic workout. */
export interface PlannedWorkout {
  readonly sport: PlannedSport;
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetS: number;
  readonly kcal: number;
  readonly points: readonly PlannedPoint[];
}

/** Maximum heart rate, the basis of heart rate zones. */
export const HIGHEST_BPM = 190;
export const POINT_S = 10;

const sports: readonly PlannedSport[] = [
  {
    slug: "running",
    name: "Running",
    metresPerSecond: 2.8,
    cadence: 168,
    hasPower: false,
    kcalPerMinute: 11,
    bpm: 148,
  },
  { slug: "cycling", name: "Cycling", metresPerSecond: 6.4, cadence: 84, hasPower: true, kcalPerMinute: 9, bpm: 138 },
  { slug: "walking", name: "Walking", metresPerSecond: 1.4, cadence: 110, hasPower: false, kcalPerMinute: 5, bpm: 104 },
  {
    slug: "strength_training",
    name: "Strength training",
    metresPerSecond: 0,
    cadence: 0,
    hasPower: false,
    kcalPerMinute: 6,
    bpm: 112,
  },
];

/** Generates the workout of a day, or undefined; on every second or third day, at 17:00 or later. */
export function plannedWorkout(draw: Draw, zone: ZoneDays, day: number): PlannedWorkout | undefined {
  if (draw("sporty", day) > 0.45) return undefined;
  const sport = sports[wholeBetween(draw, "sport", day, 0, sports.length - 1)]!;
  const startMs = zone.instant(day, 17 * 60 + 5 * wholeBetween(draw, "workout start", day, 0, 24));
  const minutes = 5 * wholeBetween(draw, "workout length", day, 4, 12);
  const count = (minutes * 60) / POINT_S + 1;
  const points = Array.from({ length: count }, (_, index) => pointAt(draw, sport, startMs, index));
  return {
    sport,
    startMs,
    endMs: startMs + minutes * MINUTE_MS,
    offsetS: zone.offsetS(startMs),
    kcal: sport.kcalPerMinute * minutes,
    points,
  };
}

/** Computes the totals of a workout from its points. */
export function totalsOf({ points, sport, startMs, endMs }: PlannedWorkout) {
  const bpm = points.map((point) => point.bpm);
  const watts = points.map((point) => point.watts);
  const climbed = points.reduce((sum, { altitudeM }, index) => {
    const before = points[index - 1]?.altitudeM ?? altitudeM;
    return sum + Math.max(0, altitudeM - before);
  }, 0);
  return {
    seconds: (endMs - startMs) / 1000,
    distanceM: points.at(-1)?.distanceM ?? 0,
    averageBpm: Math.round(meanOf(bpm)),
    maxBpm: Math.max(...bpm),
    zonesS: zonesOf(bpm),
    elevationGainM: Math.round(climbed),
    highestM: Math.max(...points.map(({ altitudeM }) => altitudeM)),
    lowestM: Math.min(...points.map(({ altitudeM }) => altitudeM)),
    averageWatts: sport.hasPower ? Math.round(meanOf(watts)) : null,
    maxWatts: sport.hasPower ? Math.max(...watts) : null,
  };
}

/** The arithmetic mean. */
export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Seconds below 50, in 50-60, 60-70, 70-80, 80-90 and above 90 % of {@link HIGHEST_BPM}. */
function zonesOf(bpm: readonly number[]): number[] {
  const zones = [0, 0, 0, 0, 0, 0];
  // The last point ends the workout and has no duration.
  for (const value of bpm.slice(0, -1)) {
    zones[Math.min(5, Math.max(0, Math.floor((10 * value) / HIGHEST_BPM) - 4))]! += POINT_S;
  }
  return zones;
}

function pointAt(draw: Draw, sport: PlannedSport, startMs: number, index: number): PlannedPoint {
  const place = startMs / 1000 + index;
  const distanceM = Math.round(10 * sport.metresPerSecond * POINT_S * index) / 10;
  const isMoving = sport.metresPerSecond > 0;
  return {
    atMs: startMs + index * POINT_S * 1000,
    bpm: sport.bpm + wholeBetween(draw, "beats", place, -8, 20),
    distanceM,
    // Multiples of 0.2 m, the resolution of recording formats.
    altitudeM: isMoving ? Math.round(5 * (120 + 15 * Math.sin(distanceM / 700))) / 5 : 120,
    latitude: isMoving ? Math.round((52.5 + distanceM * 8e-6) * 1e6) / 1e6 : 52.5,
    longitude: 13.4,
    watts: sport.hasPower ? wholeBetween(draw, "watts", place, 140, 240) : 0,
    cadence: sport.cadence,
  };
}
