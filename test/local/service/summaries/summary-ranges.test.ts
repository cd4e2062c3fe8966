import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { datesOnly, kindsOfDays } from "./summary-examples.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

type Kind = (typeof kindsOfDays)[number];
type Summary = Record<string, unknown>;

const DAY = "start_date=2026-05-01&end_date=2026-05-01";

const read = (userId: string, kind: string, query: string) =>
  service.call("GET", `/v2/summary/${kind}/${userId}?${query}`);

/** Moves all dates of the example by a number of days. */
function moved({ record }: Kind, days: number): Summary {
  const shift = (date: string) => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
  const text = JSON.stringify({ ...record, ...(record.provider_id ? { provider_id: `number ${days}` } : {}) });
  return JSON.parse(text.replaceAll(/\d{4}-\d\d-\d\d/g, shift));
}

const begins: Readonly<Record<string, string>> = {
  sleep: "bedtime_start",
  workouts: "time_start",
  meal: "timestamp",
  menstrual_cycle: "period_start",
  electrocardiogram: "session_start",
  sleep_cycle: "session_start",
};
const beginOf = (kind: string, summary: Summary) => summary[begins[kind] ?? "calendar_date"];

describe.each(kindsOfDays)("$kind", (example) => {
  const { kind, listKey } = example;
  let userId: string;
  /** Summaries by the number of days after the first. */
  const begin = (days: number) => beginOf(kind, moved(example, days));
  const found = async (query: string) =>
    (await read(userId, kind, query)).body[listKey].map((summary: Summary) => beginOf(kind, summary));
  beforeAll(async () => {
    userId = await service.createUser(`range of ${kind}`);
    await ingestBatch(service, userId, { [kind]: [3, 0, 2, 1].map((days) => moved(example, days)) });
  });

  test("is selected by day, both ends included, oldest first", async () => {
    expect(await found("start_date=2026-05-02&end_date=2026-05-03")).toEqual([begin(1), begin(2)]);
    expect(await found("start_date=2026-05-03")).toEqual([begin(2), begin(3)]);
    expect(await found("start_date=2026-04-01&end_date=2026-05-01")).toEqual([begin(0)]);
    expect(await found("start_date=2026-05-05")).toEqual([]);
  });

  test(`accepts ${datesOnly.includes(kind) ? "dates alone" : "instants too"}`, async () => {
    const range = "start_date=2026-05-02T23:00:00Z&end_date=2026-05-03T01:00:00Z";
    const { status, body } = await read(userId, kind, range);
    if (datesOnly.includes(kind)) expect(body.detail.map(({ loc }: Summary) => loc)).toHaveLength(2);
    expect(status).toBe(datesOnly.includes(kind) ? 422 : 200);
  });

  test.each([
    "",
    "start_date=",
    "start_date=never",
    "start_date=2026-05-02&end_date=2026-05-01",
    "start_date=2026-02-30",
  ])("refuses the range %j", async (range) => {
    expect((await read(userId, kind, range)).status).toBe(422);
  });

  test("refuses an unknown provider", async () => {
    expect((await read(userId, kind, "start_date=2026-05-01&provider=nobody")).status).toBe(422);
  });

  test("costs one query of a few days, however long the history is", { tags: "deep" }, async () => {
    const caller = findFunctionName(
      service,
      `get${kind.replaceAll(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase())}`,
    );
    const used = async () => {
      await service.call("DELETE", "/_local/meter");
      expect(await found("start_date=2026-05-01&end_date=2026-05-31")).toHaveLength(4);
      const { tables } = (await service.call("GET", "/_local/meter")).body.functions[caller];
      const [, { Query }] = Object.entries<Summary>(tables).find(([name]) => name.includes("summaries")) ?? ["", {}];
      return Query;
    };
    const before = await used();
    expect(before).toMatchObject({ requests: 1 });
    const earlier = Array.from({ length: 100 }, (_, index) => moved(example, -40 - index));
    const receipt = await ingestBatch(service, userId, { [kind]: earlier }, { stage: "historical" });
    expect(receipt).toMatchObject({ stored: 100, rejected: [] });
    expect(await used()).toEqual(before);
  });
});

test("a workout that moves to another day is found on that day alone", async () => {
  const userId = await service.createUser("moved workout");
  const workout = { provider_id: "run", time_start: "2026-05-01T23:30:00Z", time_end: "2026-05-02T00:30:00Z" };
  await ingestBatch(service, userId, { workouts: [workout] });
  await ingestBatch(service, userId, { workouts: [{ ...workout, time_start: "2026-05-02T00:10:00Z" }] });
  const days = ["2026-05-01", "2026-05-02"].map((day) => read(userId, "workouts", `start_date=${day}&end_date=${day}`));
  expect((await Promise.all(days)).map(({ body }) => body.workouts.length)).toEqual([0, 1]);
});

test("workouts and meals of one day are listed by their start", async () => {
  const userId = await service.createUser("busy day");
  const times = { first: "2026-05-01T18:00:00Z", second: "2026-05-01T07:00:00Z", third: "2026-05-01T12:00:00Z" };
  const ids = Object.entries(times).map(([provider_id, begin]) => ({ provider_id, begin }));
  const meal = ids.map(({ provider_id, begin }) => ({ provider_id, name: "Meal", timestamp: begin }));
  const workouts = ids.map(({ provider_id, begin }) => ({
    provider_id,
    time_start: begin,
    time_end: "2026-05-01T19:00:00Z",
  }));
  await ingestBatch(service, userId, { meal, workouts });
  const order = async (kind: string, listKey: string) =>
    (await read(userId, kind, DAY)).body[listKey].map(({ provider_id }: Summary) => provider_id);
  expect(await order("meal", "meals")).toEqual(["second", "third", "first"]);
  expect(await order("workouts", "workouts")).toEqual(["second", "third", "first"]);
});

test("a sleep is found by its calendar date, even days after its start", async () => {
  const userId = await service.createUser("long sleep");
  const week = { bedtime_start: "2026-04-24T12:00:00Z", bedtime_stop: "2026-05-01T12:00:00Z" };
  const next = {
    bedtime_start: "2026-05-01T21:00:00Z",
    bedtime_stop: "2026-05-02T05:00:00Z",
    calendar_date: "2026-05-01",
  };
  await ingestBatch(service, userId, { sleep: [week, next] });
  const { body } = await read(userId, "sleep", DAY);
  expect(body.sleep.map(({ bedtime_stop }: Summary) => bedtime_stop)).toEqual([
    "2026-05-01T12:00:00+00:00",
    "2026-05-02T05:00:00+00:00",
  ]);
});
