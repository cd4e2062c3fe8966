import { expect, test } from "vitest";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { affectedSpans, changedDays } from "../../../lib/domain/queries/continuous/changed-days.ts";
import type { ContinuousQuery } from "../../../lib/domain/queries/continuous/continuous-query.ts";
import type { QueryTask } from "../../../lib/domain/queries/continuous/query-task.ts";
import type { ResultRow } from "../../../lib/domain/queries/evaluation/align-rows.ts";
import type { FloatingSpan } from "../../../lib/domain/queries/timeframe.ts";
import { floatingTimeConverter } from "../../../lib/domain/shared/local-day.ts";
import { chunkToColumns } from "../../../lib/domain/timeseries/chunk/chunk-columns.ts";
import type { UserRecord } from "../../../lib/domain/users/user.ts";
import type { NewEvent } from "../../../lib/events/constructors/compose-event.ts";
import {
  type ComputeResultsDependencies,
  computeChangedDays,
} from "../../../lib/services/queries/continuous/compute-results.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const DAY_MS = 86_400_000;
const dayOf = (date: string) => Date.parse(date) / DAY_MS;
const team = "0b0e5f0e-1111-4111-8111-0123456789ab";
const scope = TeamScope.grant(team);
const user = {
  user_id: "0b0e5f0e-2222-4222-8222-0123456789ab",
  team_id: team,
  client_user_id: "ada",
  fallback_time_zone: { id: "UTC" },
} as UserRecord;

const queryOf = (changes: object = {}): ContinuousQuery => ({
  id: "0b0e5f0e-3333-4333-8333-0123456789ab",
  status: "active",
  slug: "steps",
  title: "Steps",
  team_id: team,
  query: aggregationQuery.parse({
    select: [{ group_key: "*" }, { func: "sum", arg: { timeseries: "steps", field: "value" } }],
    group_by: [{ date_trunc: { unit: "day" }, arg: { index: "timeseries" } }],
    ...changes,
  }),
  query_config: {},
  scheduling_preferences: { minimum_gap_duration_second: null },
  result_table_schema: {},
  resource_dependencies: ["steps"],
  export_preferences: { data_events: { enabled: true }, fhir_observations: false },
  fhir_observation_mappers: [],
});

/** In-memory stores that record reads and published rows. */
class Stores {
  readonly samples = new Map<number, number>();
  readonly rows = new Map<string, ResultRow>();
  readonly spans: (FloatingSpan | undefined)[] = [];
  readonly ranges: { fromMs: number; toMs: number }[] = [];
  readonly published: Record<string, unknown[]>[] = [];

  get deps(): ComputeResultsDependencies {
    const name = ({ keys }: ResultRow) => JSON.stringify(keys);
    const shown = ({ keys }: ResultRow) => new Date(Number(keys[0])).toISOString().slice(0, 19);
    const fakes = {
      chunks: { read: (...about: unknown[]) => this.#read((about[3] as { range: Stores["ranges"][0] }).range) },
      summaries: { list: async () => [], listAll: async () => [] },
      users: { requireActiveItem: () => () => {} },
      sourcePriorities: { get: async () => ({ priorities: {}, version: 0 }) },
      teams: { get: async () => undefined },
      queryResults: {
        list: async (_: unknown, __: unknown, span?: FloatingSpan) => {
          if (span) this.spans.push(span);
          return [...this.rows.values()].filter((row) => !span || (shown(row) >= span.from && shown(row) < span.to));
        },
        putItem: (_: unknown, __: unknown, row: ResultRow) => () => this.rows.set(name(row), row),
        deleteItem: (_: unknown, __: unknown, row: ResultRow) => () => this.rows.delete(name(row)),
      },
      outbox: {
        appendItem:
          ({ body }: NewEvent) =>
          () =>
            this.published.push((body.data as { data: Record<string, unknown[]> }[])[0]?.data ?? {}),
      },
      budget: { record: async () => {} },
      commit: async (items: readonly (() => void)[]) => {
        for (const item of items) item();
      },
    };
    return fakes as object as ComputeResultsDependencies;
  }

  async *#read(range: Stores["ranges"][0]) {
    this.ranges.push(range);
    const inside = [...this.samples].filter(([start]) => start >= range.fromMs && start <= range.toMs);
    const samples = inside.map(([start, value]) => ({ start, value, offsetS: 0, type: null, run: 0 }));
    const columns = chunkToColumns({ samples: samples.sort((a, b) => a.start - b.start), runs: [] });
    yield { sk: "", provider: "oura", sourceType: "ring", columns, from: 0, to: samples.length };
  }
}

const task = (days: readonly string[], changes: Partial<QueryTask> = {}): QueryTask => ({
  team_id: team,
  user_id: user.user_id,
  query_id: queryOf().id,
  query_slug: "steps",
  revision: 1,
  running_days: new Set(days.map(dayOf)),
  run_id: "run",
  has_begun: true,
  ...changes,
});

test("a run reads, compares and publishes only the days that changed", async () => {
  const stores = new Stores();
  for (let day = 0; day < 365; day++) stores.samples.set(Date.UTC(2025, 0, 1 + day, 12), 100 + day);
  await computeChangedDays(stores.deps, scope, user, queryOf(), task([], { has_begun: undefined }));
  expect(stores.rows.size).toBe(365);
  expect(stores.published.flatMap((table) => table["group_key.0"]).length).toBe(365);

  const [spans, ranges, published] = [stores.spans.length, stores.ranges.length, stores.published.length];
  stores.samples.set(Date.UTC(2025, 2, 10, 13), 1_000);
  stores.samples.set(Date.UTC(2025, 6, 1, 13), 2_000);
  await computeChangedDays(stores.deps, scope, user, queryOf(), task(["2025-03-10", "2025-07-01", "2025-07-02"]));
  expect(stores.spans.slice(spans)).toEqual([
    { from: "2025-03-10T00:00:00", to: "2025-03-11T00:00:00" },
    { from: "2025-07-01T00:00:00", to: "2025-07-03T00:00:00" },
  ]);
  // A calendar date lasts 50 hours across all time zones, and an interval covers up to 25 hours before and after it.
  const read = stores.ranges.slice(ranges).map(({ fromMs, toMs }) => Math.round((toMs - fromMs) / 3_600_000));
  expect(read).toEqual([100, 124]);
  expect(stores.published.slice(published)).toEqual([
    { "group_key.0": ["2025-03-10T00:00:00"], "sum.value": [100 + 68 + 1_000] },
    { "group_key.0": ["2025-07-01T00:00:00"], "sum.value": [100 + 181 + 2_000] },
  ]);
});

test.each([
  ["profile", "height_centimeter"],
  ["menstrual_cycle", "period_start"],
])("a run over %s, a small table, computes it as a whole", async (table, column) => {
  const stores = new Stores();
  const select = [{ group_key: "*" }, { func: "newest", arg: { [table]: column } }];
  const query = queryOf({ select, group_by: [{ date_trunc: { unit: "day" }, arg: { index: table } }] });
  await computeChangedDays(stores.deps, scope, user, query, task(["2025-03-10"]));
  expect(stores.spans).toEqual([{ from: "1900-01-01T00:00:00", to: "2999-12-31T00:00:00" }]);
});

test("a repeated run publishes nothing; a removed row is published with its keys and null values", async () => {
  const stores = new Stores();
  stores.samples.set(Date.UTC(2025, 2, 10, 12), 5);
  for (const _ of [1, 2]) await computeChangedDays(stores.deps, scope, user, queryOf(), task(["2025-03-10"]));
  expect(stores.published).toHaveLength(1);
  stores.samples.clear();
  await computeChangedDays(stores.deps, scope, user, queryOf(), task(["2025-03-10"]));
  expect(stores.published[1]).toEqual({ "group_key.0": ["2025-03-10T00:00:00"], "sum.value": [null] });
  expect(stores.rows.size).toBe(0);
});

test("a run with filled groups also publishes the carried values", async () => {
  const stores = new Stores();
  const query = queryOf({ align: { carry: { mode: "carry_forward" } } });
  for (const day of [10, 13]) stores.samples.set(Date.UTC(2025, 2, day, 12), day);
  await computeChangedDays(stores.deps, scope, user, query, task([], { has_begun: undefined }));
  expect(stores.published[0]?.["sum.value"]).toEqual([10, 10, 10, 13]);
  stores.samples.set(Date.UTC(2025, 2, 11, 12), 7);
  await computeChangedDays(stores.deps, scope, user, query, task(["2025-03-11"]));
  expect(stores.published[1]).toEqual({
    "group_key.0": ["2025-03-11T00:00:00", "2025-03-12T00:00:00"],
    "sum.value": [7, 7],
  });
});

test.each([
  ["one day", ["2025-03-12"], { unit: "day" }, [["2025-03-12", "2025-03-13"]]],
  ["consecutive days", ["2025-03-12", "2025-03-13"], { unit: "day" }, [["2025-03-12", "2025-03-14"]]],
  ["the whole week", ["2025-03-12"], { unit: "week" }, [["2025-03-10", "2025-03-17"]]],
  [
    "the whole months",
    ["2025-03-31", "2025-05-01"],
    { unit: "month" },
    [
      ["2025-03-01", "2025-04-01"],
      ["2025-05-01", "2025-06-01"],
    ],
  ],
])("changed days affect %s", (_, days, date_trunc, spans) => {
  const query = queryOf({ group_by: [{ date_trunc, arg: { index: "timeseries" } }] });
  const touched = affectedSpans(query, days.map(dayOf));
  expect(touched).toEqual(spans.map(([from, to]) => ({ from: `${from}T00:00:00`, to: `${to}T00:00:00` })));
});

test("an event marks the user's local days that its data covers as changed", () => {
  const clock = floatingTimeConverter("America/New_York");
  const source = { provider: "oura", type: "ring" };
  const sample = {
    timestamp: "2025-03-10T03:00:00+00:00",
    end: "2025-03-10T05:00:00+00:00",
    value: 1,
    timezone_offset: null,
  };
  const days = (type: string, data: Record<string, unknown>, table: Parameters<typeof changedDays>[1]) =>
    changedDays({ type, data }, table, clock)
      .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
      .sort();
  const steps = { timeseries: "steps" } as const;
  // The first of them holds steps of other devices that reach into the sample.
  expect(days("daily.data.steps.created", { source, data: [sample] }, steps)).toEqual([
    "2025-03-08",
    "2025-03-09",
    "2025-03-10",
  ]);
  const point = { timestamp: sample.timestamp, value: 1, timezone_offset: null };
  expect(days("daily.data.heartrate.created", { source, data: [point] }, { timeseries: "heartrate" })).toEqual([
    "2025-03-09",
  ]);
  expect(days("daily.data.distance.created", { source, data: [sample] }, steps)).toEqual([]);
  expect(
    days(
      "historical.data.steps.created",
      { start_date: "2025-03-01T00:00:00Z", end_date: "2025-03-01T10:00:00Z" },
      steps,
    ),
  ).toEqual(["2025-02-28", "2025-03-01", "2025-03-02"]);
  const sleep = {
    source,
    calendar_date: "2025-03-10",
    bedtime_start: "2025-03-09T20:00:00+00:00",
    bedtime_stop: "2025-03-10T06:00:00+00:00",
    timezone_offset: 0,
  };
  expect(days("daily.data.sleep.created", sleep, "sleep")).toEqual([
    "2025-03-08",
    "2025-03-09",
    "2025-03-10",
    "2025-03-11",
  ]);
  expect(days("daily.data.sleep.created", sleep, "derived_readiness")).toHaveLength(25);
});
