import { checkQuery } from "../../lib/domain/aggregation/check-query.ts";
import { chunkRows, type StoredSlice } from "../../lib/domain/aggregation/chunk-rows.ts";
import { evaluate, evaluateRows, type ResolvedQuery } from "../../lib/domain/aggregation/evaluate.ts";
import { aggregationQuery } from "../../lib/domain/aggregation/query.ts";
import type { SampleRow } from "../../lib/domain/aggregation/rows.ts";
import { daysToRead, spanOf } from "../../lib/domain/aggregation/timeframe.ts";
import type { Sample } from "../../lib/domain/chunk/sample.ts";
import { instantsOf, localTime } from "../../lib/domain/local-day.ts";
import { resourceNamed } from "../../lib/domain/timeseries/resources.ts";
import { readRows } from "../../lib/runtime/aggregation/reading-rows.ts";
import { ChunkStore } from "../../lib/store/chunks.ts";
import { SummaryStore } from "../../lib/store/summaries.ts";
import { Table } from "../../lib/store/table.ts";
import { heartRate } from "../support/synthetic-streams.ts";
import { seals } from "../support/user-seals.ts";
import type { CountedEngine } from "./counted-engine.ts";
import { atMost, figure, median, type Part } from "./row.ts";
import { scope, storeBatch, streamOf } from "./streams.ts";

const DAY_MS = 86_400_000;
const ROUNDS = 25;
const DAYS = 30;
/** Three of four samples of a 5 s stream: a little more than 100,000 a month. */
const EVERY = 4;
const heartrate = resourceNamed("heartrate");
const priorities = { overrides: [], providers: {} };
const checkedQuery = aggregationQuery.parse({
  select: [
    { group_key: "*" },
    ...["mean", "min", "max", "count"].map((func) => ({ func, arg: { timeseries: "heartrate", field: "value" } })),
  ],
  group_by: [{ date_trunc: { unit: "day" }, arg: { index: "timeseries" } }],
});

const month = (lastDayMs: number): Sample[] => {
  const samples = heartRate(DAYS).filter((_, index) => index % EVERY === 0);
  const shift = lastDayMs + DAY_MS - DAYS * DAY_MS - Math.floor((samples[0]?.start ?? 0) / DAY_MS) * DAY_MS;
  return samples.map((sample) => ({ ...sample, start: sample.start + shift }));
};

/** Measures daily aggregates of a month. The naive design creates an object for each sample. */
export async function aggregates(engine: CountedEngine): Promise<Part> {
  const table = new Table(engine.documents, "samples");
  const chunks = new ChunkStore(table, seals());
  const stores = { chunks, summaries: new SummaryStore(table, seals()) };
  const last = Date.UTC(2026, 5, 30);
  const samples = month(last);
  await storeAll(chunks, "month", samples);
  await storeAll(chunks, "years", samples);
  for (let age = 1; age <= 24; age++)
    await storeAll(chunks, "years", month(last - age * DAYS * DAY_MS).slice(0, 5_000));
  const query: ResolvedQuery = {
    ...checkedQuery,
    timeframe: spanOf({ type: "relative", anchor: "2026-06-30", past: { value: DAYS, unit: "day" } }),
    time_zone: "Europe/Berlin",
  };
  const checked = checkQuery(query);
  if (!("columns" in checked)) throw new Error("the bench query is invalid");
  const days = daysToRead(checked.table, query.timeframe, query.merge);
  const floatingOf = () => localTime(query.time_zone);
  const ask = async (userId: string) => {
    const set = await readRows(stores, { scope, userId, floatingOf: floatingOf(), priorities }, checked.table, days);
    return evaluateRows(query, checked, set, priorities);
  };
  const range = instantsOf(days.first, days.last);
  const read = (): Promise<StoredSlice[]> =>
    Array.fromAsync(chunks.read(scope, "month", heartrate, { range, isConsistent: true }));
  const slices = await read();
  const fromColumns = async () =>
    evaluateRows(query, checked, chunkRows("heartrate", slices, floatingOf()), priorities);
  const fromRows = async (stored: readonly StoredSlice[] = slices) =>
    evaluate(query, { timeseries: { heartrate: rowsOf(stored) }, summaries: {}, priorities });
  const [one, other] = [JSON.stringify(await fromColumns()), JSON.stringify(await fromRows())];
  if (one !== other) throw new Error("the two designs return different results");
  const [columnsMs, rowsMs] = await inTurn(fromColumns, () => fromRows());
  const [shortMs, longMs] = await inTurn(
    () => ask("month"),
    () => ask("years"),
  );
  const [wholeMs, wholeRowsMs] = await inTurn(
    () => ask("month"),
    async () => fromRows(await read()),
  );
  const [short, long] = [await engine.usageOf(() => ask("month")), await engine.usageOf(() => ask("years"))];
  return {
    title: "Queries",
    rows: [
      atMost(
        `daily aggregates of a month, ${figure(samples.length)} samples, out of columns`,
        10,
        columnsMs,
        rowsMs,
        " ms",
      ),
      atMost("the same with reading the chunks from the engine and unpacking them", 10, wholeMs, wholeRowsMs, " ms"),
      atMost("time of that with 24 months of history before it, against none", 1.2, longMs / shortMs, Number.NaN, "x"),
      atMost(
        "read units of it with 24 months of history before it, against none",
        1,
        long.readUnits / short.readUnits,
        Number.NaN,
        "x",
      ),
    ],
  };
}

async function storeAll(chunks: ChunkStore, userId: string, samples: readonly Sample[]): Promise<void> {
  for (let from = 0; from < samples.length; from += 10_000)
    await storeBatch(chunks, streamOf(userId, heartrate), samples.slice(from, from + 10_000), true);
}

/** Converts each sample to an object with its times as texts. */
function rowsOf(slices: readonly StoredSlice[]): SampleRow[] {
  return slices.flatMap(({ columns, from, to, provider, sourceType }) =>
    Array.from({ length: to - from }, (_, index) => ({
      timestamp: new Date(columns.starts[from + index] ?? 0).toISOString(),
      value: columns.values.numbers[from + index] ?? null,
      timezone_offset: Number.isNaN(columns.offsetsS[from + index]) ? null : (columns.offsetsS[from + index] ?? null),
      source: { provider, type: sourceType },
    })),
  );
}

/** Measures both alternately, so that noise of the machine affects both. @returns the median times. */
async function inTurn(...works: readonly (() => Promise<unknown>)[]): Promise<[number, number]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now();
      await work();
      times[index]?.push(performance.now() - startedAt);
    }
  }
  return [median(times[0] ?? []), median(times[1] ?? [])];
}
