import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Sample } from "../../lib/domain/chunk/sample.ts";
import { timeseriesQuery } from "../../lib/domain/timeseries/query.ts";
import { resourceNamed } from "../../lib/domain/timeseries/resources.ts";
import { PageCursor } from "../../lib/runtime/page-cursor.ts";
import { readPage } from "../../lib/runtime/timeseries-page.ts";
import { ChunkStore } from "../../lib/store/chunks.ts";
import { Table } from "../../lib/store/table.ts";
import { heartRate } from "../support/synthetic-streams.ts";
import { seals } from "../support/user-seals.ts";
import type { CountedEngine, Usage } from "./counted-engine.ts";
import type { NaiveStore } from "./naive-store.ts";
import { atMost, exponent, figure, median, type Part, type Row } from "./row.ts";
import { scope, storeBatch, streamOf } from "./streams.ts";

const DAY_MS = 86_400_000;
const ROUNDS = 15;
const HISTORIES = [1, 10, 100, 1_000, 3_650];
const OTHERS = [10, 100, 1_000, 10_000, 100_000];
const heartrate = resourceNamed("heartrate");
const glucose = resourceNamed("glucose");

/** The cost of one read, as a function of a parameter that should not change the cost. */
export interface Growth {
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
const dayOf = (ms: number) => timeseriesQuery.parse({ start_date: date(ms), end_date: date(ms) });

/** Measures the cost of reads, counted by the engine, and how that cost grows. */
export async function reads(engine: CountedEngine, naive: NaiveStore): Promise<{ part: Part; growth: Growth[] }> {
  const chunks = new ChunkStore(new Table(engine.documents, "samples"), seals());
  const day = heartRate(1);
  const first = day[0]?.start ?? 0;
  await storeBatch(chunks, streamOf("reader", heartrate), day, true);
  await naive.write("reader", day);
  const page = () => readPage(chunks, scope, "reader", heartrate, dayOf(first), pages);
  const rows = () =>
    naive.read("reader", Math.floor(first / DAY_MS) * DAY_MS, Math.floor(first / DAY_MS) * DAY_MS + DAY_MS);
  const [ours, theirs] = [await engine.usageOf(page), await engine.usageOf(rows)];
  const count = JSON.parse(ours.result.text).groups.oura[0].data.length;
  if (count !== JSON.parse(theirs.result).groups.oura[0].data.length)
    throw new Error("the designs return different samples");
  const growth = [await byHistory(engine, chunks), await byPage(engine, chunks), await byOthers(engine, chunks)];
  return {
    growth,
    part: {
      title: "Reading",
      rows: [
        atMost(
          `read units of one day of 5 s heart rate (${figure(count)} samples)`,
          5,
          ours.readUnits,
          theirs.readUnits,
        ),
        atMost("requests to `samples` for that page", 1, ours.requests, theirs.requests),
        await speed(page, rows),
        ...growth.flatMap(exponents),
      ],
    },
  };
}

/** Measures both designs alternately, so that noise of the machine affects both. */
async function speed(page: () => Promise<unknown>, rows: () => Promise<unknown>): Promise<Row> {
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) ratios.push((await timed(page)) / (await timed(rows)));
  return atMost("time of that page against the naive design", 0.5, median(ratios), 1, "x");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Measures one kind of read at growing x, alternately, in fifteen rounds. */
async function grow(
  engine: CountedEngine,
  by: string,
  xs: readonly number[],
  read: (x: number) => Promise<unknown>,
): Promise<Growth> {
  const usages = new Map<number, Usage>();
  const times = new Map<number, number[]>(xs.map((x) => [x, []]));
  for (const x of xs) usages.set(x, await engine.usageOf(() => read(x)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const x of xs) times.get(x)?.push(await timed(() => read(x)));
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
async function byHistory(engine: CountedEngine, chunks: ChunkStore): Promise<Growth> {
  const last = Date.UTC(2025, 11, 31);
  for (const days of HISTORIES) {
    const samples = Array.from({ length: days }, (_, age) => glucoseOf(last - age * DAY_MS, 12)).flat();
    for (let from = 0; from < samples.length; from += 1_200)
      await storeBatch(chunks, streamOf(`history-${days}`, glucose), samples.slice(from, from + 1_200), true);
  }
  return grow(engine, "days of history", HISTORIES, (days) =>
    readPage(chunks, scope, `history-${days}`, glucose, dayOf(last), pages),
  );
}

/** Reads ten days of heart rate page by page. */
async function byPage(engine: CountedEngine, chunks: ChunkStore): Promise<Growth> {
  const samples = heartRate(10);
  const first = samples[0]?.start ?? 0;
  for (let from = 0; from < samples.length; from += 10_000)
    await storeBatch(chunks, streamOf("pager", heartrate), samples.slice(from, from + 10_000), true);
  const range = { start_date: date(first), end_date: date(first + 10 * DAY_MS) };
  const cursors = new Map<number, string>([[1, ""]]);
  for (let page = 1; page < 6; page++) {
    const answer = await readPage(
      chunks,
      scope,
      "pager",
      heartrate,
      timeseriesQuery.parse({ ...range, next_cursor: cursors.get(page) }),
      pages,
    );
    cursors.set(page + 1, JSON.parse(answer.text).next_cursor);
  }
  return grow(engine, "page number", [...cursors.keys()], (page) =>
    readPage(
      chunks,
      scope,
      "pager",
      heartrate,
      timeseriesQuery.parse({ ...range, next_cursor: cursors.get(page) }),
      pages,
    ),
  );
}

/** Reads one user's data among the data of many users. */
async function byOthers(engine: CountedEngine, chunks: ChunkStore): Promise<Growth> {
  const startMs = Date.UTC(2026, 0, 1);
  await storeBatch(chunks, streamOf("one of many", glucose), glucoseOf(startMs, 12), true);
  const read = () => readPage(chunks, scope, "one of many", glucose, dayOf(startMs), pages);
  const points: Growth["points"][number][] = [];
  let others = 0;
  for (const many of OTHERS) {
    for (; others < many; others += 25) await addOthers(engine, others, Math.min(25, many - others));
    const { points: measured } = await grow(engine, "", [many], read);
    points.push(...measured);
  }
  return { by: "other users", points };
}

/** Writes other users' chunks directly into the table. */
async function addOthers(engine: CountedEngine, first: number, count: number): Promise<void> {
  const b = Buffer.alloc(200, 7);
  const requests = Array.from({ length: count }, (_, index) => ({
    PutRequest: {
      Item: { pk: `chunk#${scope.teamId}#other-${first + index}#glucose`, sk: "2026-01-01T00:00#oura#ring", b, v: 1 },
    },
  }));
  await engine.documents.send(new BatchWriteCommand({ RequestItems: { samples: requests } }));
}

function exponents({ by, points }: Growth): Row[] {
  const of = (measure: "requests" | "readUnits" | "ms") =>
    exponent(points.map((point) => [point.x, point[measure]] as const));
  const span = `${figure(points[0]?.x ?? 0)} to ${figure(points.at(-1)?.x ?? 0)}`;
  return [
    atMost(
      `growth of requests and units with ${by}, ${span} (exponent)`,
      0,
      Math.max(of("requests"), of("readUnits")),
      Number.NaN,
    ),
    atMost(`growth of time with ${by} (exponent)`, 0.02, of("ms"), Number.NaN),
  ];
}
