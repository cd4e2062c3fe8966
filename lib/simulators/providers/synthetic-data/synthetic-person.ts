import { DAY_MS } from "../../../domain/shared/durations.ts";
import { hashToSeed } from "../../demo/seed.ts";
import { createSeededRandom, randomInteger, type SeededRandom } from "../../demo/seeded-random.ts";
import {
  createZoneCalendar,
  formatDay,
  QUARTER_HOUR_MS,
  timeGrid,
  type ZoneCalendar,
} from "../../demo/zone-calendar.ts";
import { generateSleep, SAMPLE_INTERVAL_MS, type SyntheticSleep } from "./synthetic-sleep.ts";
import { generateWorkout, type SyntheticWorkout } from "./synthetic-workout.ts";

/** A day of a synthetic person: the source of all provider payloads and of the expected unified records. */
export interface SyntheticDay {
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
  readonly sleep: SyntheticSleep;
  readonly workout: SyntheticWorkout | undefined;
}

/** A value at an instant, epoch ms. */
export interface SyntheticReading {
  readonly atMs: number;
  readonly value: number;
}

/** A value of an interval, epoch ms. */
export interface SyntheticInterval {
  readonly startMs: number;
  readonly endMs: number;
  readonly value: number;
}

/** Time zone of all synthetic people; has daylight saving time. */
export const TIME_ZONE = "Europe/Berlin";
/** First day with data: 2025-01-01. */
export const FIRST_DAY = Date.UTC(2025, 0, 1) / DAY_MS;

/** A synthetic person. Deterministic by account and revision. */
export class SyntheticPerson {
  readonly account: string;
  readonly zone: ZoneCalendar = createZoneCalendar(TIME_ZONE);
  readonly heightCm: number;
  readonly birthYear: number;
  readonly sex: "female" | "male";
  readonly #draw: SeededRandom;
  readonly #revision: number;
  readonly #days = new Map<number, SyntheticDay>();

  /** @param revision each revision increases scores and steps, like a correction by the provider. */
  constructor(account: string, revision = 0) {
    this.account = account;
    this.#draw = createSeededRandom(hashToSeed(`provider account ${account}`));
    this.#revision = revision;
    this.heightCm = randomInteger(this.#draw, "height", 0, 158, 192);
    this.birthYear = randomInteger(this.#draw, "birth year", 0, 1962, 2001);
    this.sex = this.#draw("sex", 0) < 0.5 ? "female" : "male";
  }

  day(day: number): SyntheticDay {
    const known = this.#days.get(day);
    if (known) return known;
    const planned = this.#plan(day);
    this.#days.set(day, planned);
    return planned;
  }

  /** Lists the local days from `fromMs` to `untilMs`, both included, from {@link FIRST_DAY} on. */
  days(fromMs: number, untilMs: number): SyntheticDay[] {
    const first = Math.max(FIRST_DAY, this.zone.dayAt(fromMs));
    const count = Math.max(0, this.zone.dayAt(untilMs) - first + 1);
    return Array.from({ length: count }, (_, index) => this.day(first + index));
  }

  /** Heart rate every 5 minutes: asleep, in a workout, or in everyday life. */
  heartRate(day: SyntheticDay): SyntheticReading[] {
    const nights = [day.sleep, this.day(day.day + 1).sleep];
    return timeGrid(day.startMs, day.endMs, SAMPLE_INTERVAL_MS).map((atMs) => {
      const night = nights.find(({ startMs, endMs }) => startMs <= atMs && atMs < endMs);
      if (night) return { atMs, value: night.bpm[(atMs - night.startMs) / SAMPLE_INTERVAL_MS]! };
      const point = day.workout?.points.find((candidate) => candidate.atMs === atMs);
      return {
        atMs,
        value: point?.bpm ?? day.restingBpm + randomInteger(this.#draw, "beat", atMs / SAMPLE_INTERVAL_MS, 8, 34),
      };
    });
  }

  /** Glucose every 5 minutes, mg/dL. */
  glucose(day: SyntheticDay): SyntheticReading[] {
    return timeGrid(day.startMs, day.endMs, SAMPLE_INTERVAL_MS).map((atMs) => {
      const hours = (atMs - day.startMs) / 3_600_000;
      const afterMeals = 28 * Math.max(0, Math.sin(((hours - 7) * Math.PI) / 3));
      return {
        atMs,
        value: Math.round(92 + afterMeals) + randomInteger(this.#draw, "glucose", atMs / SAMPLE_INTERVAL_MS, -4, 4),
      };
    });
  }

  /** The steps of a day per quarter hour from 9:00 on. They sum up to the steps of the day. */
  steps(day: SyntheticDay): SyntheticInterval[] {
    const quarters = timeGrid(
      this.zone.instantAt(day.day, 9 * 60),
      this.zone.instantAt(day.day, 21 * 60),
      QUARTER_HOUR_MS,
    );
    const each = Math.floor(day.steps / quarters.length);
    return quarters.map((startMs, index) => ({
      startMs,
      endMs: startMs + QUARTER_HOUR_MS,
      value: index === 0 ? day.steps - each * (quarters.length - 1) : each,
    }));
  }

  #plan(day: number): SyntheticDay {
    const random = this.#draw;
    const startMs = this.zone.instantAt(day, 0);
    const randomValue = (name: string, low: number, high: number) => randomInteger(random, name, day, low, high);
    const restingBpm = randomInteger(random, "resting", 0, 50, 62) + randomValue("resting", 0, 4);
    const steps = randomValue("steps", 3_000, 14_000) + 100 * this.#revision;
    return {
      day,
      date: formatDay(day),
      startMs,
      endMs: this.zone.instantAt(day + 1, 0),
      offsetS: this.zone.offsetS(startMs),
      steps,
      distanceM: Math.round(steps * 0.72),
      activeKcal: randomValue("active", 250, 900),
      basalKcal: 1_500 + randomValue("basal", 0, 60),
      floors: randomValue("floors", 0, 22),
      lowMinutes: randomValue("low", 120, 300),
      mediumMinutes: randomValue("medium", 20, 90),
      highMinutes: randomValue("high", 0, 40),
      restingBpm,
      oxygenPercent: randomValue("oxygen", 94, 99),
      vo2Max: randomInteger(random, "vo2", 0, 36, 52),
      temperatureDelta: randomValue("temperature", -45, 60) / 100,
      readiness: Math.min(100, randomValue("readiness", 55, 92) + this.#revision),
      stressPercent: randomValue("stress", 15, 60),
      weightG: 100 * (randomInteger(random, "weight", 0, 620, 880) + randomValue("weight", 0, 9)),
      fatPercent: (randomInteger(random, "fat", 0, 160, 280) + randomValue("fat", 0, 5)) / 10,
      systolic: randomValue("systolic", 108, 132),
      diastolic: randomValue("diastolic", 66, 84),
      sleep: generateSleep(random, this.zone, day, { restingBpm, revision: this.#revision }),
      workout: generateWorkout(random, this.zone, day),
    };
  }
}
