import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import { timeseriesQuery } from "../../lib/domain/timeseries/range-query.ts";
import { getResource } from "../../lib/domain/timeseries/resources.ts";
import { PageCursor } from "../../lib/runtime/http/page-cursor.ts";
import { readTimeseriesPage } from "../../lib/services/timeseries/timeseries-page.ts";
import { Table } from "../../lib/store/table.ts";
import { ChunkStore } from "../../lib/store/timeseries/chunks.ts";
import { heartRateStream } from "../support/synthetic-streams.ts";
import { createUserCiphers } from "../support/user-ciphers.ts";
import { type BenchPart, type BenchRow, fitExponent, formatFigure, median, rowUpTo } from "./bench-row.ts";
import { benchScope, createStream, storeBatch } from "./bench-streams.ts";
import type { EngineUsage, MeteredEngine } from "./metered-engine.ts";
import type { NaiveStore } from "./naive-store.ts";

const DAY_MS = 86_400_000;
const ROUNDS = 15;
const HISTORY_DAYS = [1, 10, 100, 1_000, 3_650];
const OTHER_USER_COUNTS = [10, 100, 1_000, 10_000, 100_000];
const heartrate = getResource("heartrate");
const glucose = getResource("glucose");

/** The cost of one read, as a function of a parameter that should not change the cost. */
export interface CostGrowth {
  readonly by: string;
  readonly points: readonly {
    readonly x: number;
    readonly requests: number;
    readonly readUnits: number;
    readonly ms: number;
  }[];
}

/** Cursors of one list only, the list that this file reads. */
const pages = new PageCursor(() => "bench");

const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayQuery = (ms: number) => timeseriesQuery.parse({ start_date: date(ms), end_date: date(ms) });

/** Measures the cost of reads, counted by the engine, and how that cost grows. */
export async function measureReads(
  engine: MeteredEngine,
  naive: NaiveStore,
): Promise<{ part: BenchPart; growth: CostGrowth[] }> {
  const chunks = new ChunkStore(new Table(engine.documents, "samples"), createUserCiphers());
  const day = heartRateStream(1);
  const first = day[0]?.start ?? 0;
  await storeBatch(chunks, createStream("reader", heartrate), day, true);
  await naive.write("reader", day);
  const page = () => readTimeseriesPage(chunks, benchScope, "reader", heartrate, dayQuery(first), pages);
  const rows = () =>
    naive.read("reader", Math.floor(first / DAY_MS) * DAY_MS, Math.floor(first / DAY_MS) * DAY_MS + DAY_MS);
  const [ours, theirs] = [await engine.measureUsage(page), await engine.measureUsage(rows)];
  const count = JSON.parse(ours.result.text).groups.oura[0].data.length;
  if (count !== JSON.parse(theirs.result).groups.oura[0].data.length)
    throw new Error("the designs return different samples");
  const growth = [
    await growthByHistory(engine, chunks),
    await growthByPage(engine, chunks),
    await growthByUsers(engine, chunks),
  ];
  return {
    growth,
    part: {
      title: "Reading",
      rows: [
        rowUpTo(
          `read units of one day of 5 s heart rate (${formatFigure(count)} samples)`,
          5,
          ours.readUnits,
          theirs.readUnits,
        ),
        rowUpTo("requests to `samples` for that page", 1, ours.requests, theirs.requests),
        await measureSpeed(page, rows),
        ...growth.flatMap(exponentRows),
      ],
    },
  };
}

/** Measures both designs alternately, so that noise of the machine affects both. */
async function measureSpeed(page: () => Promise<unknown>, rows: () => Promise<unknown>): Promise<BenchRow> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) ratios.push((await elapsedMs(page)) / (await elapsedMs(rows)));
  return rowUpTo("time of that page against the naive design", 0.5, median(ratios), 1, "x");
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Measures one kind of read at growing x, alternately, in fifteen rounds. */
async function measureGrowth(
  engine: MeteredEngine,
  by: string,
  xs: readonly number[],
  read: (x: number) => Promise<unknown>,
): Promise<CostGrowth> {
  const usages = new Map<number, EngineUsage>();
  const times = new Map<number, number[]>(xs.map((x) => [x, []]));
  for (const x of xs) usages.set(x, await engine.measureUsage(() => read(x)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const x of xs) times.get(x)?.push(await elapsedMs(() => read(x)));
  }
  const points = xs.map((x) => {
    const { requests = 0, readUnits = 0 } = usages.get(x) ?? {};
    return { x, requests, readUnits, ms: median(times.get(x) ?? []) };
  });
  return { by, points };
}

const glucoseOf = (startMs: number, count: number): Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    start: startMs + index * 7_200_000,
    value: 5 + (index % 7) / 10,
    offsetS: null,
    type: null,
  }));

/** Reads the newest day of users with histories of different lengths. */
async function growthByHistory(engine: MeteredEngine, chunks: ChunkStore): Promise<CostGrowth> {
  const last = Date.UTC(2025, 11, 31);
  for (const days of HISTORY_DAYS) {
    const samples = Array.from({ length: days }, (_, age) => glucoseOf(last - age * DAY_MS, 12)).flat();
    for (let from = 0; from < samples.length; from += 1_200)
      await storeBatch(chunks, createStream(`history-${days}`, glucose), samples.slice(from, from + 1_200), true);
  }
  return measureGrowth(engine, "days of history", HISTORY_DAYS, (days) =>
    readTimeseriesPage(chunks, benchScope, `history-${days}`, glucose, dayQuery(last), pages),
  );
}

/** Reads ten days of heart rate page by page. */
async function growthByPage(engine: MeteredEngine, chunks: ChunkStore): Promise<CostGrowth> {
  const samples = heartRateStream(10);
  const first = samples[0]?.start ?? 0;
  for (let from = 0; from < samples.length; from += 10_000)
    await storeBatch(chunks, createStream("pager", heartrate), samples.slice(from, from + 10_000), true);
  const range = { start_date: date(first), end_date: date(first + 10 * DAY_MS) };
  const cursors = new Map<number, string>([[1, ""]]);
  for (let page = 1; page < 6; page++) {
    const answer = await readTimeseriesPage(
      chunks,
      benchScope,
      "pager",
      heartrate,
      timeseriesQuery.parse({ ...range, next_cursor: cursors.get(page) }),
      pages,
    );
    cursors.set(page + 1, JSON.parse(answer.text).next_cursor);
  }
  return measureGrowth(engine, "page number", [...cursors.keys()], (page) =>
    readTimeseriesPage(
      chunks,
      benchScope,
      "pager",
      heartrate,
      timeseriesQuery.parse({ ...range, next_cursor: cursors.get(page) }),
      pages,
    ),
  );
}

/** Reads one user's data among the data of many users. */
async function growthByUsers(engine: MeteredEngine, chunks: ChunkStore): Promise<CostGrowth> {
  const startMs = Date.UTC(2026, 0, 1);
  await storeBatch(chunks, createStream("one of many", glucose), glucoseOf(startMs, 12), true);
  const read = () => readTimeseriesPage(chunks, benchScope, "one of many", glucose, dayQuery(startMs), pages);
  const points: CostGrowth["points"][number][] = [];
  let others = 0;
  for (const many of OTHER_USER_COUNTS) {
    for (; others < many; others += 25) await addOtherUsers(engine, others, Math.min(25, many - others));
    const { points: measured } = await measureGrowth(engine, "", [many], read);
    points.push(...measured);
  }
  return { by: "other users", points };
}

/** Writes other users' chunks directly into the table. */
async function addOtherUsers(engine: MeteredEngine, first: number, count: number): Promise<void> {
  const b = Buffer.alloc(200, 7);
  const requests = Array.from({ length: count }, (_, index) => ({
    PutRequest: {
      Item: {
        pk: `chunk#${benchScope.teamId}#other-${first + index}#glucose`,
        sk: "2026-01-01T00:00#oura#ring",
        b,
        v: 1,
      },
    },
  }));
  await engine.documents.send(new BatchWriteCommand({ RequestItems: { samples: requests } }));
}

function exponentRows({ by, points }: CostGrowth): BenchRow[] {
  const of = (measure: "requests" | "readUnits" | "ms") =>
    fitExponent(points.map((point) => [point.x, point[measure]] as const));
  const span = `${formatFigure(points[0]?.x ?? 0)} to ${formatFigure(points.at(-1)?.x ?? 0)}`;
  return [
    rowUpTo(
      `growth of requests and units with ${by}, ${span} (exponent)`,
      0,
      Math.max(of("requests"), of("readUnits")),
      Number.NaN,
    ),
    rowUpTo(`growth of time with ${by} (exponent)`, 0.02, of("ms"), Number.NaN),
  ];
}
