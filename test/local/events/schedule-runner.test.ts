import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import { EventBus } from "../../../lib/local/events/event-bus.ts";
import { ScheduleRunner } from "../../../lib/local/events/schedule-runner.ts";

const START = Date.UTC(2026, 10, 20, 12, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let clock: VirtualClock;
let bus: EventBus;
let runner: ScheduleRunner;
/** Minutes after the start at which each target ran, by target ARN. */
let runs: Map<string, number[]>;
let answers: Map<string, () => unknown>;

const minutesNow = () => (clock.now() - START) / MINUTE;
const ranAt = (name: string) => runs.get(name) ?? [];
const nextDueAt = (atMs: number | undefined) => ({
  next_due_at: atMs === undefined ? null : new Date(atMs).toISOString(),
});
const settle = async () => {
  while (bus.pending() > 0) await new Promise((resolve) => setImmediate(resolve));
};
const advance = (ms: number) => runner.advanceTo(clock.now() + ms, settle);
const addSchedule = (name: string, schedule: string, answer: () => unknown = () => null) => {
  const arn = `arn:aws:events:us-east-1:000000000000:rule/${name}`;
  bus.addRule({ name, arn, busName: "default", schedule, enabled: true, targets: [{ id: "t", arn: name }] });
  answers.set(name, answer);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: START });
  clock = new VirtualClock();
  runs = new Map();
  answers = new Map();
  bus = new EventBus({
    path: ":memory:",
    clock,
    deliver: async (arn) => {
      runs.set(arn, [...ranAt(arn), minutesNow()]);
      return answers.get(arn)?.();
    },
  });
  bus.addBus("default", "arn:aws:events:us-east-1:000000000000:event-bus/default");
  runner = new ScheduleRunner(bus, clock);
});

afterEach(() => {
  bus.close();
  clock.stop();
  vi.useRealTimers();
});

describe("while the clock advances", () => {
  test("seven idle days take a few runs", async () => {
    addSchedule("sweep", "rate(1 minute)", () => nextDueAt(undefined));
    addSchedule("report", "rate(5 minutes)");
    runner.start();
    await advance(7 * DAY);
    expect(ranAt("sweep")).toEqual([0, 1, 7 * 24 * 60]);
    expect(ranAt("report")).toEqual([0, 5, 7 * 24 * 60]);
    expect(minutesNow()).toBe(7 * 24 * 60);
  });

  test("due work runs at its instant", async () => {
    const due = [START + 30 * MINUTE, START + 2 * HOUR];
    const done: number[] = [];
    addSchedule("sweep", "rate(1 minute)", () => {
      for (let next = due[0]; next !== undefined && next <= clock.now(); next = due[0]) {
        done.push(minutesNow());
        due.shift();
      }
      return nextDueAt(due[0]);
    });
    runner.start();
    await advance(7 * DAY);
    expect(done).toEqual([30, 120]);
    expect(ranAt("sweep")).toEqual([0, 1, 30, 31, 32, 120, 121, 122, 7 * 24 * 60]);
  });

  test("a timer of the clock triggers the schedules", async () => {
    let isWorkThere = false;
    addSchedule("sweep", "rate(1 minute)", () => {
      const done = isWorkThere ? 1 : 0;
      isWorkThere = false;
      return { done, next_due_at: null };
    });
    clock.at(START + 3 * HOUR, () => {
      isWorkThere = true;
    });
    runner.start();
    await advance(DAY);
    expect(ranAt("sweep").filter((minute) => minute >= 180)).toEqual([180, 181, 182, 183, 1440]);
  });

  test("many close timers run a schedule at most once per period", async () => {
    addSchedule("sweep", "rate(1 minute)");
    for (let second = 0; second < 90; second++) clock.at(START + HOUR + second * 1000, () => {});
    runner.start();
    await advance(DAY);
    expect(ranAt("sweep").filter((minute) => minute >= 60)).toEqual([60, 61, 62, 63, 1440]);
  });

  test("the effects of one schedule trigger the others", async () => {
    let isPublished = false;
    addSchedule("relay", "rate(1 minute)", () => {
      isPublished = minutesNow() >= 50;
      return { published: isPublished, ...nextDueAt(isPublished ? undefined : START + 50 * MINUTE) };
    });
    const seen: number[] = [];
    addSchedule("sender", "rate(2 minutes)", () => {
      if (isPublished) seen.push(minutesNow());
      return { sent: isPublished, next_due_at: null };
    });
    runner.start();
    await advance(DAY);
    expect(seen[0]).toBe(50);
  });

  test("a persistent backlog runs at every period until it is done", async () => {
    let left = 4;
    addSchedule("sweep", "rate(1 minute)", () => {
      left = Math.max(0, left - 1);
      return nextDueAt(left > 0 ? START : undefined);
    });
    runner.start();
    await advance(DAY);
    expect(ranAt("sweep")).toEqual([0, 1, 2, 3, 4, 5, 1440]);
  });

  test("a failing schedule has one delivery under retry, not one per period", async () => {
    addSchedule("sweep", "rate(1 minute)", () => {
      throw new Error("broken");
    });
    runner.start();
    await advance(7 * DAY);
    expect(ranAt("sweep").length).toBeLessThan(8 * 186);
    expect(bus.counts.dropped).toBeGreaterThanOrEqual(6);
  });

  test("a schedule with tracked reads runs when its data is written, not for any timer or other schedule", async () => {
    const written = new Map<string, boolean>();
    runner = new ScheduleRunner(bus, clock, (targets) => {
      for (const arn of targets) written.set(arn, false);
      return () => targets.some((arn) => written.get(arn));
    });
    addSchedule("mail", "rate(1 minute)", () => ({ at: minutesNow(), ...nextDueAt(undefined) }));
    addSchedule("sweep", "rate(1 minute)", () => nextDueAt(undefined));
    clock.at(START + HOUR, () => {});
    clock.at(START + 2 * HOUR, () => void written.set("sweep", true));
    runner.start();
    await advance(DAY);
    expect(ranAt("mail")).toEqual([0, 1440]);
    expect(ranAt("sweep")).toEqual([0, 120, 1440]);
  });

  test("a cron schedule runs at each of its instants", async () => {
    addSchedule("nightly", "cron(30 3 * * ? *)");
    runner.start();
    await advance(3 * DAY);
    const first = 15 * 60 + 30;
    expect(ranAt("nightly")).toEqual([first, first + 1440, first + 2880]);
  });

  test("work that fails to settle is reported, and real-time runs continue", async () => {
    addSchedule("sweep", "rate(1 minute)");
    runner.start();
    const never = () => Promise.reject(new Error("not idle after 30 s"));
    await expect(runner.advanceTo(clock.now() + DAY, never)).rejects.toThrow("not idle");
    expect(clock.nextDueAt()).toBeDefined();
  });
});

describe("in real time", () => {
  test("each schedule runs at its own period", async () => {
    addSchedule("sweep", "rate(1 minute)");
    addSchedule("report", "rate(2 minutes)");
    runner.start();
    await clock.advanceTo(START + 4 * MINUTE, settle);
    expect(ranAt("sweep")).toEqual([1, 2, 3, 4]);
    expect(ranAt("report")).toEqual([2, 4]);
  });

  test("periods continue after the clock advances, without duplicate timers", async () => {
    addSchedule("sweep", "rate(1 minute)");
    runner.start();
    await advance(HOUR);
    await clock.advanceTo(START + HOUR + 3 * MINUTE, settle);
    expect(ranAt("sweep")).toEqual([0, 1, 60, 61, 62, 63]);
  });
});
