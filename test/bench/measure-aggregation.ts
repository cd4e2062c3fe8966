import { aggregationQuery } from "../../lib/domain/queries/aggregation-query.ts";
import { checkQuery } from "../../lib/domain/queries/check-query.ts";
import { evaluateQuery, evaluateRows, type ResolvedQuery } from "../../lib/domain/queries/evaluation/evaluate-query.ts";
import { chunkRows } from "../../lib/domain/queries/rows/chunk-rows.ts";
import type { SampleRow } from "../../lib/domain/queries/rows/rows.ts";
import { daysToRead, resolveTimeframe } from "../../lib/domain/queries/timeframe.ts";
import { floatingTimeConverter, instantsOfDays } from "../../lib/domain/shared/local-day.ts";
import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import type { SampleSlice } from "../../lib/domain/timeseries/chunk/sample-slice.ts";
import { getResource } from "../../lib/domain/timeseries/resources.ts";
import { readRows } from "../../lib/services/queries/read-rows.ts";
import { SummaryStore } from "../../lib/store/summaries/summaries.ts";
import { Table } from "../../lib/store/table.ts";
import { ChunkStore } from "../../lib/store/timeseries/chunks.ts";
import { heartRateStream } from "../support/synthetic-streams.ts";
import { createUserCiphers } from "../support/user-ciphers.ts";
import { type BenchPart, formatFigure, median, rowUpTo } from "./bench-row.ts";
import { benchScope, createStream, storeBatch } from "./bench-streams.ts";
import type { MeteredEngine } from "./metered-engine.ts";

const DAY_MS = 86_400_000;
const ROUNDS = 25;
const DAYS = 30;
/** Of every 5 seconds each fourth: a little more than 100,000 a month. */
const KEPT_SAMPLES_RATIO = 4;
const heartrate = getResource("heartrate");
const priorities = { overrides: [], providers: {} };
const checkedQuery = aggregationQuery.parse({
  select: [
    { group_key: "*" },
    ...["mean", "min", "max", "count"].map((func) => ({ func, arg: { timeseries: "heartrate", field: "value" } })),
  ],
  group_by: [{ date_trunc: { unit: "day" }, arg: { index: "timeseries" } }],
});

const month = (lastDayMs: number): Sample[] => {
  const samples = heartRateStream(DAYS).filter((_, index) => index % KEPT_SAMPLES_RATIO === 0);
  const shift = lastDayMs + DAY_MS - DAYS * DAY_MS - Math.floor((samples[0]?.start ?? 0) / DAY_MS) * DAY_MS;
  return samples.map((sample) => ({ ...sample, start: sample.start + shift }));
};

/** A month of daily aggregates, beside an object for each sample as a plain reader would make it. */
export async function measureAggregation(engine: MeteredEngine): Promise<BenchPart> {
  const table = new Table(engine.documents, "samples");
  const chunks = new ChunkStore(table, createUserCiphers());
  const stores = { chunks, summaries: new SummaryStore(table, createUserCiphers()) };
  const last = Date.UTC(2026, 5, 30);
  const samples = month(last);
  await storeSamples(chunks, "month", samples);
  await storeSamples(chunks, "years", samples);
  for (let age = 1; age <= 24; age++)
    await storeSamples(chunks, "years", month(last - age * DAYS * DAY_MS).slice(0, 5_000));
  const query: ResolvedQuery = {
    ...checkedQuery,
    timeframe: resolveTimeframe({ type: "relative", anchor: "2026-06-30", past: { value: DAYS, unit: "day" } }),
    time_zone: "Europe/Berlin",
  };
  const checked = checkQuery(query);
  if (!("columns" in checked)) throw new Error("the query of the bench is refused");
  const days = daysToRead(checked.table, query.timeframe, query);
  const floatingOf = () => floatingTimeConverter(query.time_zone);
  const ask = async (userId: string) => {
    const set = await readRows(
      stores,
      { scope: benchScope, userId, floatingOf: floatingOf(), priorities },
      checked.table,
      days,
    );
    return evaluateRows(query, checked, set, priorities);
  };
  const range = instantsOfDays(days.first, days.last);
  const read = (): Promise<SampleSlice[]> =>
    Array.fromAsync(chunks.read(benchScope, "month", heartrate, { range, isConsistent: true }));
  const slices = await read();
  const fromColumns = async () =>
    evaluateRows(query, checked, chunkRows("heartrate", slices, floatingOf()), priorities);
  const fromRows = async (stored: readonly SampleSlice[] = slices) =>
    evaluateQuery(query, { timeseries: { heartrate: toSampleRows(stored) }, summaries: {}, priorities });
  const [one, other] = [JSON.stringify(await fromColumns()), JSON.stringify(await fromRows())];
  if (one !== other) throw new Error("the two ways answer differently");
  const [columnsMs, rowsMs] = await measureAlternately(fromColumns, () => fromRows());
  const [shortMs, longMs] = await measureAlternately(
    () => ask("month"),
    () => ask("years"),
  );
  const [wholeMs, wholeRowsMs] = await measureAlternately(
    () => ask("month"),
    async () => fromRows(await read()),
  );
  const [short, long] = [await engine.measureUsage(() => ask("month")), await engine.measureUsage(() => ask("years"))];
  return {
    title: "Queries",
    rows: [
      rowUpTo(
        `daily aggregates of a month, ${formatFigure(samples.length)} samples, out of columns`,
        10,
        columnsMs,
        rowsMs,
        " ms",
      ),
      rowUpTo("the same with reading the chunks from the engine and unpacking them", 10, wholeMs, wholeRowsMs, " ms"),
      rowUpTo("time of that with 24 months of history before it, against none", 1.2, longMs / shortMs, Number.NaN, "x"),
      rowUpTo(
        "read units of it with 24 months of history before it, against none",
        1,
        long.readUnits / short.readUnits,
        Number.NaN,
        "x",
      ),
    ],
  };
}

async function storeSamples(chunks: ChunkStore, userId: string, samples: readonly Sample[]): Promise<void> {
  for (let from = 0; from < samples.length; from += 10_000)
    await storeBatch(chunks, createStream(userId, heartrate), samples.slice(from, from + 10_000), true);
}

/** One object a sample with its times as texts. */
function toSampleRows(slices: readonly SampleSlice[]): SampleRow[] {
  return slices.flatMap(({ columns, from, to, provider, sourceType, deviceId, appId }) =>
    Array.from({ length: to - from }, (_, index) => ({
      timestamp: new Date(columns.starts[from + index] ?? 0).toISOString(),
      value: columns.values.numbers[from + index] ?? null,
      timezone_offset: Number.isNaN(columns.offsetsS[from + index]) ? null : (columns.offsetsS[from + index] ?? null),
      source: { provider, type: sourceType, device_id: deviceId, app_id: appId },
    })),
  );
}

/** Median times of both, in turn, so that the noise of the machine meets both. */
async function measureAlternately(...works: readonly (() => Promise<unknown>)[]): Promise<[number, number]> {
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
