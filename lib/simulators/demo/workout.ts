import { MINUTE_MS } from "../../domain/shared/durations.ts";
import type { DemoPerson } from "./demo-person.ts";
import { randomBetween, randomInteger } from "./seeded-random.ts";
import { isWeekend, weekdayOf, type ZoneCalendar } from "./zone-calendar.ts";

/** A sport and its physiological parameters. */
interface DemoSport {
  readonly name: string;
  readonly slug: string;
  readonly title: string;
  readonly metresPerSecond: number;
  readonly stepsPerMinute: number;
  /** Active energy, excluding basal energy. */
  readonly kcalPerKgHour: number;
  /** Steady heart rate as a fraction of the heart rate reserve: 0 at rest, 1 at the maximum. */
  readonly effort: number;
}

/** A simulated workout, epoch ms in whole minutes. */
export interface SimulatedWorkout {
  readonly sport: DemoSport;
  readonly startMs: number;
  readonly endMs: number;
}

const sports: readonly DemoSport[] = [
  {
    name: "Running",
    slug: "running",
    title: "Run",
    metresPerSecond: 2.8,
    stepsPerMinute: 164,
    kcalPerKgHour: 9.2,
    effort: 0.74,
  },
  {
    name: "Cycling",
    slug: "cycling",
    title: "Ride",
    metresPerSecond: 6.4,
    stepsPerMinute: 0,
    kcalPerKgHour: 6.8,
    effort: 0.66,
  },
  {
    name: "Hiking",
    slug: "hiking",
    title: "Hike",
    metresPerSecond: 1.45,
    stepsPerMinute: 112,
    kcalPerKgHour: 4.4,
    effort: 0.46,
  },
];

/** Simulates the workout of a day, or undefined: two to four per week, after work on weekdays, mornings on weekends. */
export function simulateWorkout(person: DemoPerson, zone: ZoneCalendar, day: number): SimulatedWorkout | undefined {
  const { random } = person;
  if (!workoutWeekdays(person, day - weekdayOf(day)).includes(weekdayOf(day))) return undefined;
  const earliest = isWeekend(day) ? 9 * 60 + 45 : 16 * 60 + 50;
  const startMs = zone.instantAt(day, earliest + randomInteger(random, "workout start", day, 0, 80));
  const minutes = randomInteger(random, "workout minutes", day, 26, isWeekend(day) ? 85 : 55);
  const sport = sports[randomInteger(random, "sport", day, 0, sports.length - 1)]!;
  return { sport, startMs, endMs: startMs + minutes * MINUTE_MS };
}

/** Speed of a day's workout relative to the mean of its sport. */
export function paceFactor(person: DemoPerson, day: number): number {
  return randomBetween(person.random, "pace", day, 0.88, 1.12);
}

/** The weekdays with a workout in the week that starts on `monday`. */
function workoutWeekdays({ random: draw }: DemoPerson, monday: number): number[] {
  const count = randomInteger(draw, "workouts", monday, 2, 4);
  const shuffled = [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ weekday, rank: draw("workout day", monday + weekday) }));
  return shuffled
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, count)
    .map(({ weekday }) => weekday);
}
