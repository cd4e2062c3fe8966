import { type Draw, drawsOf, wholeBetween } from "../../demo/draws.ts";
import { seedOf } from "../../demo/seed.ts";
import { DAY_MS, dateOf, gridOf, QUARTER_HOUR_MS, type ZoneDays, zoneDays } from "../../demo/zone-days.ts";
import { GRID_MS, type PlannedSleep, plannedSleep } from "./planned-sleep.ts";
import { type PlannedWorkout, plannedWorkout } from "./planned-workout.ts";

/** A day of a synthetic person: the source of all provider payloads and of the expected unified records. */
export interface PlannedDay {
  /** Days since 1970-01-01. */
  readonly day: number;
  readonly date: string;
  /** Epoch ms; 23 or 25 hours before `endMs` on a day with a clock change. */
  readonly startMs: number;
  readonly endMs: number;
  /** Offset from UTC at the start, seconds. */
  readonly offsetS: number;
  readonly steps: number;
  readonly distanceM: number;
  readonly activeKcal: number;
  readonly basalKcal: number;
  readonly floors: number;
  readonly lowMinutes: number;
  readonly mediumMinutes: number;
  readonly highMinutes: number;
  readonly restingBpm: number;
  readonly oxygenPercent: number;
  readonly vo2Max: number;
  /** Deviation of the skin temperature, °C, two decimal places. */
  readonly temperatureDelta: number;
  readonly readiness: number;
  readonly stressPercent: number;
  /** A multiple of 100. */
  readonly weightG: number;
  /** One decimal place. */
  readonly fatPercent: number;
  readonly systolic: number;
  readonly diastolic: number;
  /** The night that ended on this day. */
  readonly sleep: PlannedSleep;
  readonly workout: PlannedWorkout | undefined;
}

/** A value at an instant, epoch ms. */
export interface PlannedReading {
  readonly atMs: number;
  readonly value: number;
}

/** A value of an interval, epoch ms. */
export interface PlannedSpan {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number;
}

/** Time zone of all synthetic people; has daylight saving time. */
export const TIME_ZONE = "Europe/Berlin";
/** First day with data: 2025-01-01. */
export const FIRST_DAY = Date.UTC(2025, 0, 1) / DAY_MS;

/** A synthetic person. Deterministic by account and revision. */
export class PersonPlan {
  readonly account: string;
  readonly zone: ZoneDays = zoneDays(TIME_ZONE);
  readonly heightCm: number;
  readonly birthYear: number;
  readonly sex: "female" | "male";
  readonly #draw: Draw;
  readonly #revision: number;
  readonly #days = new Map<number, PlannedDay>();

  /** @param revision each revision increases scores and steps, like a correction by the provider. */
  constructor(account: string, revision = 0) {
    this.account = account;
    this.#draw = drawsOf(seedOf(`provider account ${account}`));
    this.#revision = revision;
    this.heightCm = wholeBetween(this.#draw, "height", 0, 158, 192);
    this.birthYear = wholeBetween(this.#draw, "birth year", 0, 1962, 2001);
    this.sex = this.#draw("sex", 0) < 0.5 ? "female" : "male";
  }

  day(day: number): PlannedDay {
    const known = this.#days.get(day);
    if (known) return known;
    const planned = this.#plan(day);
    this.#days.set(day, planned);
    return planned;
  }

  /** Lists the local days from `fromMs` to `untilMs`, both included, from {@link FIRST_DAY} on. */
  days(fromMs: number, untilMs: number): PlannedDay[] {
    const first = Math.max(FIRST_DAY, this.zone.dayOf(fromMs));
    const count = Math.max(0, this.zone.dayOf(untilMs) - first + 1);
    return Array.from({ length: count }, (_, index) => this.day(first + index));
  }

  /** Heart rate every 5 minutes: asleep, in a workout, or in everyday life. */
  heartRate(day: PlannedDay): PlannedReading[] {
    const nights = [day.sleep, this.day(day.day + 1).sleep];
    return gridOf(day.startMs, day.endMs, GRID_MS).map((atMs) => {
      const night = nights.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
      if (night) return { atMs, value: night.bpm[(atMs - night.startMs) / GRID_MS]! };
      const point = day.workout?.points.find((candidate) => candidate.atMs === atMs);
      return { atMs, value: point?.bpm ?? day.restingBpm + wholeBetween(this.#draw, "beat", atMs / GRID_MS, 8, 34) };
    });
  }

  /** Glucose every 5 minutes, mg/dL. */
  glucose(day: PlannedDay): PlannedReading[] {
    return gridOf(day.startMs, day.endMs, GRID_MS).map((atMs) => {
      const hours = (atMs - day.startMs) / 3_600_000;
      const afterMeals = 28 * Math.max(0, Math.sin(((hours - 7) * Math.PI) / 3));
      return { atMs, value: Math.round(92 + afterMeals) + wholeBetween(this.#draw, "glucose", atMs / GRID_MS, -4, 4) };
    });
  }

  /** The steps of a day per quarter hour from 9:00 on. They sum up to the steps of the day. */
  steps(day: PlannedDay): PlannedSpan[] {
    const quarters = gridOf(this.zone.instant(day.day, 9 * 60), this.zone.instant(day.day, 21 * 60), QUARTER_HOUR_MS);
    const each = Math.floor(day.steps / quarters.length);
    return quarters.map((startMs, index) => ({
      startMs,
      endMs: startMs + QUARTER_HOUR_MS,
      value: index === 0 ? day.steps - each * (quarters.length - 1) : each,
    }));
  }

  #plan(day: number): PlannedDay {
    const draw = this.#draw;
    const startMs = this.zone.instant(day, 0);
    const some = (name: string, low: number, high: number) => wholeBetween(draw, name, day, low, high);
    const restingBpm = wholeBetween(draw, "resting", 0, 50, 62) + some("resting", 0, 4);
    const steps = some("steps", 3_000, 14_000) + 100 * this.#revision;
    return {
      day,
      date: dateOf(day),
      startMs,
      endMs: this.zone.instant(day + 1, 0),
      offsetS: this.zone.offsetS(startMs),
      steps,
      distanceM: Math.round(steps * 0.72),
      activeKcal: some("active", 250, 900),
      basalKcal: 1_500 + some("basal", 0, 60),
      floors: some("floors", 0, 22),
      lowMinutes: some("low", 120, 300),
      mediumMinutes: some("medium", 20, 90),
      highMinutes: some("high", 0, 40),
      restingBpm,
      oxygenPercent: some("oxygen", 94, 99),
      vo2Max: wholeBetween(draw, "vo2", 0, 36, 52),
      temperatureDelta: some("temperature", -45, 60) / 100,
      readiness: Math.min(100, some("readiness", 55, 92) + this.#revision),
      stressPercent: some("stress", 15, 60),
      weightG: 100 * (wholeBetween(draw, "weight", 0, 620, 880) + some("weight", 0, 9)),
      fatPercent: (wholeBetween(draw, "fat", 0, 160, 280) + some("fat", 0, 5)) / 10,
      systolic: some("systolic", 108, 132),
      diastolic: some("diastolic", 66, 84),
      sleep: plannedSleep(draw, this.zone, day, { restingBpm, revision: this.#revision }),
      workout: plannedWorkout(draw, this.zone, day),
    };
  }
}
