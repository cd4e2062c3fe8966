import type { Timer, VirtualClock } from "../clock.ts";
import type { EventBus, ScheduleState } from "./event-bus.ts";
import { isJsonObject } from "./json.ts";
import { nextRunAt, parseSchedule } from "./schedules.ts";

/** What the runner knows about one rate schedule while the clock is being advanced. Instants are epoch ms. */
interface RateState {
  ruleName: string;
  targetArns: readonly string[];
  periodMs: number;
  lastRunAt: number;
  nextRunAt: number;
  /** Whether what its last run saw has been written since; undefined where that is not known. */
  isOutdated: () => boolean | undefined;
  /** Where that is not known: how many more runs, one period apart, are due before it may sleep. */
  looksLeft: number;
  /** What the targets answered last, as text. */
  lastAnswer: string | undefined;
}

/** One run does what is due, a second one sees what came of it. */
const LOOKS_AFTER_ACTIVITY = 2;

/** Begins a run of targets; what it answers tells whether something that the run saw has been written since. */
export type BeginLook = (targetArns: readonly string[]) => () => boolean | undefined;

/**
 * Runs the schedule rules of a bus: in real time each at its own period or cron instants.
 * While the clock is advanced, rate schedules run at the beginning and at the end, and in between at their period only
 * while something of what they saw is written. Where what they saw is not known, that is two runs after the beginning,
 * after each timer of the clock, and after each run (of any of them) whose answer differs from its last one. Otherwise
 * they sleep until the `next_due_at` (ISO string or null) which their targets answered. An answer should therefore say
 * how much was done, and must not vary when nothing was. Cron schedules run at each instant.
 */
export class ScheduleRunner {
  readonly #bus: EventBus;
  readonly #clock: VirtualClock;
  readonly #beginLook: BeginLook;
  readonly #rateTimers = new Set<Timer>();

  constructor(bus: EventBus, clock: VirtualClock, beginLook: BeginLook = () => () => undefined) {
    this.#bus = bus;
    this.#clock = clock;
    this.#beginLook = beginLook;
  }

  /** Plans all schedules; call it once, after the rules were added. */
  start(): void {
    for (const schedule of this.#bus.schedules()) this.#plan(schedule);
  }

  /**
   * Moves the clock to `until` (epoch ms), running what becomes due in time order; `settle` lets consequences finish.
   * Every rate schedule runs at least once at the beginning and once at the end.
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
    const rates = this.#rateSchedules().map((schedule) => rateState(schedule, begin));
    for (let stop = begin; ; stop = this.#nextStop(rates, stop, until)) {
      const due = stop >= until ? rates : rates.filter((rate) => rate.nextRunAt <= stop);
      await this.#settleAt(
        stop,
        async () => {
          const changes = await Promise.all(due.map((rate) => this.#runRate(rate, stop)));
          if (changes.includes(true)) wake(rates, stop);
        },
        settle,
      );
      if (stop >= until) return;
    }
  }

  /** The earliest instant with work; when a timer of the clock fires there, the schedules look again. */
  #nextStop(rates: readonly RateState[], from: number, until: number): number {
    for (const rate of rates) if (rate.isOutdated()) runSoon(rate, from);
    const timerDueAt = this.#clock.nextDueAt() ?? Number.POSITIVE_INFINITY;
    const stop = Math.max(from, Math.min(until, timerDueAt, ...rates.map((rate) => rate.nextRunAt)));
    if (timerDueAt <= stop) wake(rates, stop);
    return stop;
  }

  /** Runs `task` at the instant; inside a task of the clock time stands still, so the task sees exactly that. */
  async #settleAt(instant: number, task: () => Promise<void>, settle: () => Promise<void>): Promise<void> {
    this.#clock.at(instant, task);
    await this.#clock.advanceTo(instant, settle);
  }

  /** Whether the targets answered something else than the last time. */
  async #runRate(rate: RateState, instant: number): Promise<boolean> {
    rate.lastRunAt = instant;
    rate.nextRunAt = Number.POSITIVE_INFINITY;
    // The retry of a failed run is on the clock already and does the work of this one.
    if (this.#bus.isRetrying(rate.ruleName)) return false;
    const isOutdated = this.#beginLook(rate.targetArns);
    const answers = await this.#bus.runSchedule(rate.ruleName);
    // Of a run that failed nobody knows what it would have seen; one that does not say when it is due may be due any time.
    const isTold = !this.#bus.isRetrying(rate.ruleName) && answers.every(saysWhenDue);
    rate.isOutdated = isTold ? isOutdated : () => undefined;
    const answer = JSON.stringify(answers);
    const isChanged = rate.lastAnswer !== undefined && answer !== rate.lastAnswer;
    const dueAt = Math.min(...answers.map(dueAtOf));
    rate.lastAnswer = answer;
    rate.looksLeft = rate.isOutdated() === undefined ? Math.max(0, rate.looksLeft - 1) : 0;
    if (dueAt > instant) rate.nextRunAt = dueAt;
    if (rate.looksLeft > 0 || dueAt <= instant) rate.nextRunAt = Math.min(rate.nextRunAt, instant + rate.periodMs);
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

function rateState({ ruleName, expression, targetArns }: ScheduleState, begin: number): RateState {
  const periodMs = (nextRunAt(expression, begin) ?? begin) - begin;
  return {
    ruleName,
    targetArns,
    periodMs,
    lastRunAt: begin,
    nextRunAt: begin,
    isOutdated: () => undefined,
    looksLeft: LOOKS_AFTER_ACTIVITY,
    lastAnswer: undefined,
  };
}

/** Something happened at `instant`: each schedule of which it is not known what it saw looks twice. */
function wake(rates: readonly RateState[], instant: number): void {
  for (const rate of rates) {
    if (rate.isOutdated() !== undefined) continue;
    rate.looksLeft = LOOKS_AFTER_ACTIVITY;
    runSoon(rate, instant);
  }
}

/** Has a schedule look at an instant, but no more often than its period. */
function runSoon(rate: RateState, instant: number): void {
  rate.nextRunAt = Math.min(rate.nextRunAt, Math.max(instant, rate.lastRunAt + rate.periodMs));
}

const saysWhenDue = (answer: unknown): boolean => isJsonObject(answer) && answer.next_due_at !== undefined;

/** When a target said that it has work next, epoch ms; infinite when it has none or did not say. */
function dueAtOf(answer: unknown): number {
  const due = isJsonObject(answer) ? answer.next_due_at : undefined;
  return typeof due === "string" ? Date.parse(due) : Number.POSITIVE_INFINITY;
}
