// @module-tag share
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MeterSnapshot } from "../../../../lib/local/aws-proxy/meter.ts";
import { chooseCount } from "../../../support/depth.ts";
import { type Answer, TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { type BatchResources, ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const DAY_MS = 86_400_000;
const now = () => service.cloud.clock.now();
const instant = (ms: number) => new Date(ms).toISOString();

/** Creates step samples of a phone for the given hours of a day. */
const steps = (values: Readonly<Record<string, number>>) =>
  Object.entries(values).map(([hour, value]) => {
    const start = Date.UTC(2026, 2, 10, Number(hour));
    return { start: instant(start), end: instant(start + 3_600_000), value };
  });

const daily = {
  timeframe: { type: "relative", anchor: "2026-03-11", past: { value: 3, unit: "day" } },
  queries: [
    {
      select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
      group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
    },
    {
      select: [{ group_key: "*" }, { func: "sum", arg: { activity: "steps" } }],
      group_by: [{ source: "source_provider" }],
    },
  ],
};

/** The reads that accept an instant. */
const reads: Readonly<Record<string, (userId: string, asOf?: string) => Promise<Answer>>> = {
  grouped: (userId, as_of) =>
    readGroupedPage(service, userId, "steps", { start_date: "2026-03-10", ...(as_of ? { as_of } : {}) }),
  ...Object.fromEntries(
    ["activity", "sleep", "workouts", "profile"].map((kind) => [
      kind,
      (userId: string, as_of?: string) => {
        const query = new URLSearchParams({
          ...(kind === "profile" ? {} : { start_date: "2026-03-09", end_date: "2026-03-11" }),
          ...(as_of ? { as_of } : {}),
        });
        return service.call("GET", `/v2/summary/${kind}/${userId}?${query}`);
      },
    ]),
  ),
  aggregate: (userId, as_of) =>
    service.call("POST", `/aggregate/v1/user/${userId}/query${as_of ? `?${new URLSearchParams({ as_of })}` : ""}`, {
      body: daily,
    }),
};

/** Returns the comparable part of an answer; errors contain the id of their request. */
const said = ({ status, body }: Answer) => (status === 200 ? body : [status, body.code]);
const readAll = (userId: string, asOf?: string) =>
  Promise.all(Object.entries(reads).map(async ([name, read]) => [name, said(await read(userId, asOf))] as const));

const night = (efficiency: number, hour: number) => ({
  bedtime_start: `2026-03-09T${hour}:00:00Z`,
  bedtime_stop: "2026-03-10T06:00:00Z",
  efficiency,
});
const run = (calories: number, day: number) => ({
  provider_id: "run-1",
  time_start: `2026-03-${String(day).padStart(2, "0")}T08:00:00Z`,
  time_end: `2026-03-${String(day).padStart(2, "0")}T09:00:00Z`,
  calories,
});

const few = fc.integer({ min: 1, max: 3 });
const batch: fc.Arbitrary<BatchResources> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .dictionary(fc.constantFrom("8", "9", "20"), few, { minKeys: 1 })
      .map((values) => ({ steps: steps(values) })),
  },
  few.map((given) => ({ activity: [{ calendar_date: "2026-03-10", steps: given }] })),
  fc.tuple(few, fc.constantFrom(21, 22)).map(([efficiency, hour]) => ({ sleep: [night(80 + efficiency, hour)] })),
  fc.tuple(few, fc.constantFrom(9, 10)).map(([calories, day]) => ({ workouts: [run(calories, day)] })),
  few.map((height) => ({ profile: [{ height: 170 + height }] })),
);

describe("a read as of an instant", () => {
  test("returns the answer of that instant", { tags: "deep" }, async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 2, maxLength: 6 }), async (batches) => {
        const userId = await service.createUser(`as of ${++runs}`);
        const given = [[instant(now()), await readAll(userId)] as const];
        for (const resources of batches) {
          await service.advance(60_000);
          const { rejected } = await ingestBatch(service, userId, resources);
          expect(rejected).toEqual([]);
          given.push([instant(now()), await readAll(userId)]);
        }
        for (const [at, answers] of given) expect(await readAll(userId, at)).toEqual(answers);
      }),
      { numRuns: chooseCount(2, 6) },
    );
  });

  test("is refused before the retention period, in the future, and for an invalid instant", {
    tags: "deep",
  }, async () => {
    const userId = await service.createUser("refused");
    const at = (ms: number) => instant(now() + ms);
    for (const [name, read] of Object.entries(reads)) {
      for (const asOf of [at(1_000), at(-30 * DAY_MS - 1_000), "2026-03-10", "yesterday"]) {
        const { status, body } = await read(userId, asOf);
        expect([name, asOf, status, body.detail[0].loc]).toEqual([name, asOf, 422, ["query", "as_of"]]);
      }
      const { status } = await read(userId, at(-30 * DAY_MS + 60_000));
      expect([name, status]).toEqual([name, name === "profile" ? 404 : 200]);
    }
    const { body } = await readGroupedPage(service, userId, "steps", {
      start_date: "2026-03-10",
      as_of: at(-31 * DAY_MS),
    });
    expect(body.detail[0].msg).toBe("Not within the last 30 days");
  });

  test("applies the instant to explanations and pages", { tags: "deep" }, async () => {
    const userId = await service.createUser("paged");
    for (const first of PARTS)
      await ingestBatch(service, userId, { glucose: readings(first, 5), sleep: [night(80, 21)] });
    const then = instant(now());
    await service.advance(1_000);
    await ingestBatch(service, userId, { glucose: readings(0, 6), sleep: [night(90, 21)] });
    const range = { start_date: "2026-03-10", end_date: "2026-03-10" };
    const path = `/v2/summary/sleep/${userId}?${new URLSearchParams({ ...range, explain: "true", as_of: then })}`;
    expect((await service.call("GET", path)).body.sleep).toMatchObject([
      { efficiency: 80, explanation: { standing: "only" } },
    ]);
    const first = await readGroupedPage(service, userId, "glucose", { ...range, as_of: then });
    const next_cursor: string = first.body.next_cursor;
    const second = await readGroupedPage(service, userId, "glucose", { ...range, as_of: then, next_cursor });
    const values = [...pageSamples(first), ...pageSamples(second)].map(({ value }) => value);
    expect([values.length, new Set(values)]).toEqual([PARTS.length * PART, new Set([5])]);
    expect((await readGroupedPage(service, userId, "glucose", { ...range, next_cursor })).status).toBe(422);
  });
});

/** Together these parts exceed one page. */
const PART = 7_000;
const PARTS = [0, PART, 2 * PART];
const readings = (first: number, value: number) =>
  Array.from({ length: PART }, (_, index) => ({
    timestamp: instant(Date.UTC(2026, 2, 10) + (first + index) * 3_000),
    value,
    unit: "mmol/L",
  }));

/** Returns the requests of one function to a table, by operation. */
async function asked(operationId: string, table: "samples" | "summaries", work: () => Promise<unknown>) {
  await service.call("DELETE", "/_local/meter");
  await work();
  const { functions }: MeterSnapshot = (await service.call("GET", "/_local/meter")).body;
  const tables = functions[findFunctionName(service, operationId)]?.tables ?? {};
  const [, operations = {}] = Object.entries(tables).find(([name]) => name.toLowerCase().includes(table)) ?? [];
  return Object.fromEntries(Object.entries(operations).map(([operation, { requests }]) => [operation, requests]));
}

describe("versions", () => {
  test("cost one write per replaced value and one request per read as of an instant, and nothing else", {
    tags: "deep",
  }, async () => {
    const userId = await service.createUser("costs");
    const store = (resources: BatchResources) => ingestBatch(service, userId, resources);
    const samples = (work: () => Promise<unknown>) => asked("storeBatch", "samples", work);
    const summaries = (work: () => Promise<unknown>) => asked("storeBatch", "summaries", work);
    const reading = (value: number, minute = 0) => ({
      glucose: [{ timestamp: instant(Date.UTC(2026, 2, 10, 8, minute)), value, unit: "mmol/L" }],
    });
    expect(await samples(() => store(reading(5)))).toEqual({ BatchGetItem: 1, PutItem: 1 });
    expect(await samples(() => store(reading(5.1, 1)))).toEqual({ BatchGetItem: 1, PutItem: 1 });
    // An unchanged value costs a second read instead of a write: no older batch came in between.
    expect(await samples(() => store(reading(5)))).toEqual({ BatchGetItem: 2 });
    const then = instant(now());
    await service.advance(1_000);
    expect(await samples(() => store(reading(6)))).toEqual({ BatchGetItem: 1, PutItem: 2 });
    expect(await summaries(() => store({ sleep: [night(80, 21)] }))).toEqual({ GetItem: 1, PutItem: 1 });
    expect(await summaries(() => store({ sleep: [night(80, 21)] }))).toEqual({ GetItem: 1 });
    expect(await summaries(() => store({ sleep: [night(81, 21)] }))).toEqual({ GetItem: 1, PutItem: 2 });
    const readSamples = (as_of?: string) => () =>
      readGroupedPage(service, userId, "glucose", { start_date: "2026-03-10", ...(as_of ? { as_of } : {}) });
    expect(await asked("getGroupedTimeseries", "samples", readSamples())).toEqual({ Query: 1 });
    expect(await asked("getGroupedTimeseries", "samples", readSamples(instant(now())))).toEqual({ Query: 1 });
    expect(await asked("getGroupedTimeseries", "samples", readSamples(then))).toEqual({ Query: 2 });
    const readSleep = (asOf?: string) => async () => reads.sleep?.(userId, asOf);
    expect(await asked("getSleep", "summaries", readSleep())).toEqual({ Query: 1 });
    expect(await asked("getSleep", "summaries", readSleep(then))).toEqual({ Query: 2 });
  });

  test("are erased with their user", { tags: "deep" }, async () => {
    const userId = await service.createUser("erased");
    for (const value of [1, 2, 3])
      await ingestBatch(service, userId, { steps: steps({ 8: value }), sleep: [night(80 + value, 21)] });
    const versions = async () =>
      (await findItemsContaining(service, userId)).filter((item) => item.includes(" v#")).length;
    expect(await versions()).toBe(6);
    expect((await service.call("DELETE", `/v2/user/${userId}`)).status).toBe(200);
    await service.advance(8 * DAY_MS);
    await service.settle();
    expect(await findItemsContaining(service, userId)).toEqual([]);
  });
});

describe("a deployment that stores no versions", () => {
  beforeAll(async () => {
    await service.stop();
    service = await TestService.start(undefined, testSettings.small);
  });

  test("refuses reads as of an instant, and writes no versions", async () => {
    const userId = await service.createUser("forgotten");
    for (const value of [1, 2]) await ingestBatch(service, userId, { steps: steps({ 8: value }) });
    const as_of = instant(service.cloud.clock.now());
    const { status, body } = await readGroupedPage(service, userId, "steps", { start_date: "2026-03-10", as_of });
    expect([status, body]).toMatchObject([
      400,
      { code: "not_possible", detail: expect.stringContaining("stores no earlier versions") },
    ]);
    expect((await findItemsContaining(service, userId)).filter((item) => item.includes(" v#"))).toEqual([]);
  });
});
