import { isJsonObject } from "../../domain/shared/json.ts";
import type { Timer, VirtualClock } from "../clock.ts";
import type { EventBus, ScheduleState } from "./event-bus.ts";
import { nextRunAt, parseSchedule } from "./schedules.ts";

/** State of one rate schedule while the clock advances. Instants are epoch ms. */
interface RateSchedule {
  ruleName: string;
  targetArns: readonly string[];
  periodMs: number;
  lastRunAt: number;
  nextRunAt: number;
  /** Whether data that the last run read has been written since; undefined when that is unknown. */
  isOutdated: () => boolean | undefined;
  /** Number of further runs, one period apart, before the schedule pauses. Used when `isOutdated` is unknown. */
  runsLeft: number;
  /** The last response of the targets, as JSON. */
  lastAnswer: string | undefined;
}

/** The first run processes what is due, the second run observes its effects. */
const RUNS_AFTER_ACTIVITY = 2;

/** Tracks the reads of a run of targets. The result states whether data that the run read has been written since. */
export type TrackReads = (targetArns: readonly string[]) => () => boolean | undefined;

/**
 * Runs the schedule rules of a bus. In real time each rule runs at its period or cron instants.
 *
 * While the clock advances, cron schedules run at each of their instants. Rate schedules run at the start and at the
 * end of the advance. In between, a rate schedule runs when data that it read has been written, at most once a period.
 * When the reads are unknown, it runs twice: after the start, after each timer of the clock, and after each run of any
 * schedule whose response differs from its previous response. Otherwise it pauses until the `next_due_at` (ISO string
 * or null) of its targets' responses. A response should therefore contain counts of what was done, and must not vary
 * when nothing was done.
 */
export class ScheduleRunner {
  readonly #bus: EventBus;
  readonly #clock: VirtualClock;
  readonly #beginLook: TrackReads;
  readonly #rateTimers = new Set<Timer>();

  constructor(bus: EventBus, clock: VirtualClock, beginLook: TrackReads = () => () => undefined) {
    this.#bus = bus;
    this.#clock = clock;
    this.#beginLook = beginLook;
  }

  /** Starts all schedules. Call it once, after the rules are added. */
  start(): void {
    for (const schedule of this.#bus.schedules()) this.#plan(schedule);
  }

  /**
   * Moves the clock to `until` (epoch ms) and runs everything that becomes due, in time order. `settle` waits for the
   * consequences of each stop. Every rate schedule runs at least once at the start and once at the end.
   */
  async advanceTo(until: number, settle: () => Promise<void>): Promise<void> {
    for (const timer of this.#rateTimers) timer.cancel();
    this.#rateTimers.clear();
    try {
      await this.#skipThrough(until, settle);
    } finally {
      for (const schedule of this.#rateSchedules()) this.#plan(schedule);
    }
  }

  async #skipThrough(until: number, settle: () => Promise<void>): Promise<void> {
    const begin = this.#clock.now();
    const rates = this.#rateSchedules().map((schedule) => newRateSchedule(schedule, begin));
    for (let stop = begin; ; stop = this.#nextStop(rates, stop, until)) {
      const due = stop >= until ? rates : rates.filter((rate) => rate.nextRunAt <= stop);
      await this.#settleAt(
        stop,
        async () => {
          const changes = await Promise.all(due.map((rate) => this.#runRate(rate, stop)));
          if (changes.includes(true)) rerunSoon(rates, stop);
        },
        settle,
      );
      if (stop >= until) return;
    }
  }

  /** The next instant with something due. When a timer of the clock fires then, the schedules run again. */
  #nextStop(rates: readonly RateSchedule[], from: number, until: number): number {
    for (const rate of rates) if (rate.isOutdated()) scheduleRun(rate, from);
    const timerDueAt = this.#clock.nextDueAt() ?? Number.POSITIVE_INFINITY;
    const stop = Math.max(from, Math.min(until, timerDueAt, ...rates.map((rate) => rate.nextRunAt)));
    if (timerDueAt <= stop) rerunSoon(rates, stop);
    return stop;
  }

  /** Runs `task` as a timer of the clock, which freezes time at exactly `instant`. */
  async #settleAt(instant: number, task: () => Promise<void>, settle: () => Promise<void>): Promise<void> {
    this.#clock.at(instant, task);
    await this.#clock.advanceTo(instant, settle);
  }

  /** Runs a rate schedule. @returns whether the targets' response differs from the previous one. */
  async #runRate(rate: RateSchedule, instant: number): Promise<boolean> {
    rate.lastRunAt = instant;
    rate.nextRunAt = Number.POSITIVE_INFINITY;
    // The retry of a failed run is already scheduled and replaces this run.
    if (this.#bus.isRetrying(rate.ruleName)) return false;
    const isOutdated = this.#beginLook(rate.targetArns);
    const answers = await this.#bus.runSchedule(rate.ruleName);
    // The reads of a failed run are incomplete. A target without `next_due_at` may be due at any time.
    const isDueKnown = !this.#bus.isRetrying(rate.ruleName) && answers.every(hasNextDueAt);
    rate.isOutdated = isDueKnown ? isOutdated : () => undefined;
    const answer = JSON.stringify(answers);
    const isChanged = rate.lastAnswer !== undefined && answer !== rate.lastAnswer;
    const dueAt = Math.min(...answers.map(parseNextDueAt));
    rate.lastAnswer = answer;
    rate.runsLeft = rate.isOutdated() === undefined ? Math.max(0, rate.runsLeft - 1) : 0;
    if (dueAt > instant) rate.nextRunAt = dueAt;
    if (rate.runsLeft > 0 || dueAt <= instant) rate.nextRunAt = Math.min(rate.nextRunAt, instant + rate.periodMs);
    return isChanged;
  }

  #rateSchedules(): ScheduleState[] {
    return this.#bus.schedules().filter(({ expression }) => parseSchedule(expression).kind === "rate");
  }

  #plan(schedule: ScheduleState): void {
    const dueAt = nextRunAt(schedule.expression, this.#clock.now());
    if (dueAt === undefined) return;
    const timer = this.#clock.at(dueAt, async () => {
      this.#rateTimers.delete(timer);
      this.#plan(schedule);
      await this.#bus.runSchedule(schedule.ruleName);
    });
    if (parseSchedule(schedule.expression).kind === "rate") this.#rateTimers.add(timer);
  }
}

function newRateSchedule({ ruleName, expression, targetArns }: ScheduleState, begin: number): RateSchedule {
  const periodMs = (nextRunAt(expression, begin) ?? begin) - begin;
  return {
    ruleName,
    targetArns,
    periodMs,
    lastRunAt: begin,
    nextRunAt: begin,
    isOutdated: () => undefined,
    runsLeft: RUNS_AFTER_ACTIVITY,
    lastAnswer: undefined,
  };
}

/** Schedules two more runs, from `instant` on, of each schedule whose reads are unknown. */
function rerunSoon(rates: readonly RateSchedule[], instant: number): void {
  for (const rate of rates) {
    if (rate.isOutdated() !== undefined) continue;
    rate.runsLeft = RUNS_AFTER_ACTIVITY;
    scheduleRun(rate, instant);
  }
}

/** Schedules the next run at `instant`, but at least one period after the last run. */
function scheduleRun(rate: RateSchedule, instant: number): void {
  rate.nextRunAt = Math.min(rate.nextRunAt, Math.max(instant, rate.lastRunAt + rate.periodMs));
}

const hasNextDueAt = (answer: unknown): boolean => isJsonObject(answer) && answer.next_due_at !== undefined;

/** Parses `next_due_at` of a response to epoch ms. Infinity when it is null or missing. */
function parseNextDueAt(answer: unknown): number {
  const due = isJsonObject(answer) ? answer.next_due_at : undefined;
  return typeof due === "string" ? Date.parse(due) : Number.POSITIVE_INFINITY;
}
