import { MINUTE_MS } from "../../../domain/shared/durations.ts";
import { randomInteger, type SeededRandom } from "../../demo/seeded-random.ts";
import type { ZoneCalendar } from "../../demo/zone-calendar.ts";

/** A sport, by its slug in the unified model. */
interface SyntheticSport {
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
export interface SyntheticTrackPoint {
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
export interface SyntheticWorkout {
  readonly sport: SyntheticSport;
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetS: number;
  readonly kcal: number;
  readonly points: readonly SyntheticTrackPoint[];
}

/** Maximum heart rate, the basis of heart rate zones. */
export const MAX_BPM = 190;
export const POINT_INTERVAL_S = 10;

const sports: readonly SyntheticSport[] = [
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
export function generateWorkout(random: SeededRandom, zone: ZoneCalendar, day: number): SyntheticWorkout | undefined {
  if (random("sporty", day) > 0.45) return undefined;
  const sport = sports[randomInteger(random, "sport", day, 0, sports.length - 1)]!;
  const startMs = zone.instantAt(day, 17 * 60 + 5 * randomInteger(random, "workout start", day, 0, 24));
  const minutes = 5 * randomInteger(random, "workout length", day, 4, 12);
  const count = (minutes * 60) / POINT_INTERVAL_S + 1;
  const points = Array.from({ length: count }, (_, index) => generatePoint(random, sport, startMs, index));
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
export function summarizeWorkout({ points, sport, startMs, endMs }: SyntheticWorkout) {
  const bpm = points.map((point) => point.bpm);
  const watts = points.map((point) => point.watts);
  const climbed = points.reduce((sum, { altitudeM }, index) => {
    const before = points[index - 1]?.altitudeM ?? altitudeM;
    return sum + Math.max(0, altitudeM - before);
  }, 0);
  return {
    seconds: (endMs - startMs) / 1000,
    distanceM: points.at(-1)?.distanceM ?? 0,
    averageBpm: Math.round(mean(bpm)),
    maxBpm: Math.max(...bpm),
    zonesS: heartRateZones(bpm),
    elevationGainM: Math.round(climbed),
    highestM: Math.max(...points.map(({ altitudeM }) => altitudeM)),
    lowestM: Math.min(...points.map(({ altitudeM }) => altitudeM)),
    averageWatts: sport.hasPower ? Math.round(mean(watts)) : null,
    maxWatts: sport.hasPower ? Math.max(...watts) : null,
  };
}

/** The arithmetic mean. */
function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Seconds below 50, in 50-60, 60-70, 70-80, 80-90 and above 90 % of {@link MAX_BPM}. */
function heartRateZones(bpm: readonly number[]): number[] {
  const zones = [0, 0, 0, 0, 0, 0];
  // The last point ends the workout and has no duration.
  for (const value of bpm.slice(0, -1)) {
    zones[Math.min(5, Math.max(0, Math.floor((10 * value) / MAX_BPM) - 4))]! += POINT_INTERVAL_S;
  }
  return zones;
}

function generatePoint(draw: SeededRandom, sport: SyntheticSport, startMs: number, index: number): SyntheticTrackPoint {
  const place = startMs / 1000 + index;
  const distanceM = Math.round(10 * sport.metresPerSecond * POINT_INTERVAL_S * index) / 10;
  const isMoving = sport.metresPerSecond > 0;
  return {
    atMs: startMs + index * POINT_INTERVAL_S * 1000,
    bpm: sport.bpm + randomInteger(draw, "beats", place, -8, 20),
    distanceM,
    // Multiples of 0.2 m, the resolution of recording formats.
    altitudeM: isMoving ? Math.round(5 * (120 + 15 * Math.sin(distanceM / 700))) / 5 : 120,
    latitude: isMoving ? Math.round((52.5 + distanceM * 8e-6) * 1e6) / 1e6 : 52.5,
    longitude: 13.4,
    watts: sport.hasPower ? randomInteger(draw, "watts", place, 140, 240) : 0,
    cadence: sport.cadence,
  };
}
