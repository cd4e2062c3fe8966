// @module-tag share
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SampleBatch } from "../../../../lib/domain/ingest/batch.ts";
import { chooseCount } from "../../../support/depth.ts";
import { DerivedActivityFixture } from "./derived-activity-fixture.ts";
import { DerivedActivityRace } from "./derived-activity-race.ts";
import type { PendingRequest, SelectRequest } from "./request-interleaving.ts";

const RUNS = chooseCount(10, 40);

let stage: DerivedActivityFixture;
beforeAll(async () => {
  stage = await DerivedActivityFixture.open();
});
afterAll(() => stage.close());

test("days equal the totals of their samples, although batches overlap, fail and are redelivered", {
  tags: "deep",
}, async () => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const broken = await new DerivedActivityRace(seed, stage).run();
    expect(broken, [`seed ${seed}`, ...broken, ...stage.interleaving.trace].join("\n")).toEqual([]);
  }
});

const START = Date.parse("2026-05-01T20:00:00Z");
/** Moves a sample of that evening to the next day. */
const FAR_EAST_S = 8 * 3_600;

const steps = (value: number, offsetS = 0): SampleBatch => ({
  provider: "apple_health_kit",
  source_type: "watch",
  device_id: null,
  app_id: null,
  stage: "daily",
  is_final: true,
  samples: { steps: [{ start: START, end: START, value, offsetS, type: null }] },
  summaries: {},
  streams: {},
});

const heartRate = (value: number): SampleBatch => ({
  ...steps(0),
  samples: { heartrate: [{ start: START, end: START, value, offsetS: 0, type: null }] },
});

const stepsByDay = async (userId: string) =>
  (await stage.activities(userId)).map(({ day, fields }) => [day, fields.steps]);

describe("a batch that is overtaken between read and write", () => {
  /** Runs the first function up to its write of a summary, then the other function to its end. */
  const firstWaits: SelectRequest = (waiting) => {
    const isHeld = ({ task, step }: PendingRequest) => task === "first" && step === "PutCommand summaries";
    const next = waiting.find((one) => one.task === "first" && !isHeld(one)) ?? waiting.find((one) => !isHeld(one));
    return { next: next ?? waiting[0]! };
  };

  async function overtake(userId: string, first: SampleBatch, other: SampleBatch): Promise<void> {
    const [held, later] = [await stage.queue(userId, 8, first), await stage.queue(userId, 9, other)];
    const tasks = { first: () => stage.deliver(held), other: () => stage.deliver(later) };
    await stage.interleaving.run(tasks, firstWaits);
    expect(stage.interleaving.trace.find((step) => step.includes("PutCommand summaries"))).toContain("other");
  }

  test("does not overwrite a sum that returned to its earlier value", async () => {
    const userId = "7ea70000-0000-4000-9000-000000000001";
    await stage.createUser(userId);
    await stage.deliver(await stage.queue(userId, 1, steps(50)));
    await overtake(userId, steps(51), steps(50));
    expect(await stepsByDay(userId)).toEqual([["2026-05-01", 50]]);
  });

  test("does not count samples for a day that they left", async () => {
    const userId = "7ea70000-0000-4000-9000-000000000002";
    await stage.createUser(userId);
    await overtake(userId, steps(50), steps(50, FAR_EAST_S));
    expect(await stepsByDay(userId)).toEqual([
      ["2026-05-01", null],
      ["2026-05-02", 50],
    ]);
  });
});

describe("a batch of heart rate while another batch creates the summary of its day", () => {
  const STEP = "PutCommand summaries";
  const averages = async (userId: string) =>
    (await stage.activities(userId)).map(({ fields }) => (fields.heart_rate as { avg_bpm: number }).avg_bpm);

  /** Stores the heart rate completely after the creating batch has read it and before it writes. */
  const betweenReadAndWrite =
    (fault?: "answer lost"): SelectRequest =>
    (waiting) => {
      const other = waiting.find(({ task }) => task === "heart" || task === "creates:late");
      const next = waiting.find(({ task, step }) => task === "creates" && step !== STEP) ?? other ?? waiting[0]!;
      return { next, fault: next.step === STEP ? fault : undefined };
    };

  test("counts, although it finds no summary", async () => {
    const userId = "7ea70000-0000-4000-9000-000000000004";
    await stage.createUser(userId);
    const [creating, heart] = [await stage.queue(userId, 1, steps(50)), await stage.queue(userId, 2, heartRate(70))];
    const tasks = { creates: () => stage.deliver(creating), heart: () => stage.deliver(heart) };
    await stage.interleaving.run(tasks, betweenReadAndWrite());
    expect(stage.interleaving.trace.filter((step) => step.startsWith("heart") && step.includes("samples"))).toEqual([
      "heart: BatchGetCommand samples",
      "heart: PutCommand samples",
    ]);
    expect(await averages(userId)).toEqual([70]);
  });

  test.each([
    [5, false],
    [6, true],
  ])(
    "counts, although the other batch fails as soon as it created the summary (%i: is replaced: %s)",
    async (user, isReplaced) => {
      const userId = `7ea70000-0000-4000-9000-00000000000${user}`;
      await stage.createUser(userId);
      const [creating, heart] = [await stage.queue(userId, 1, steps(50)), await stage.queue(userId, 2, heartRate(70))];
      const tasks = { creates: () => stage.deliver(creating), heart: () => stage.deliver(heart) };
      await stage.interleaving.run(tasks, betweenReadAndWrite("answer lost"));
      expect(await stage.activities(userId)).toMatchObject([{ fields: { steps: 50, heart_rate: null } }]);
      if (isReplaced) await stage.deliver(await stage.queue(userId, 3, steps(51)));
      expect(await stage.deliver(creating)).toBe(true);
      expect(await averages(userId)).toEqual([70]);
    },
  );
});

test("a redelivered batch that failed after it moved a sample removes the sample from its former day", async () => {
  const userId = "7ea70000-0000-4000-9000-000000000003";
  await stage.createUser(userId);
  await stage.deliver(await stage.queue(userId, 1, steps(50)));
  const moving = await stage.queue(userId, 2, steps(50, FAR_EAST_S));
  const breaksOff: SelectRequest = ([next]) => ({
    next: next!,
    fault: next?.step === "QueryCommand summaries" ? "request lost" : undefined,
  });
  await stage.interleaving.run({ moving: () => stage.deliver(moving) }, breaksOff);
  expect(await stepsByDay(userId)).toEqual([["2026-05-01", 50]]);
  expect(await stage.deliver(moving)).toBe(true);
  expect(await stepsByDay(userId)).toEqual([
    ["2026-05-01", null],
    ["2026-05-02", 50],
  ]);
});
