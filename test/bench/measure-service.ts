import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import { heartRateStream } from "../support/synthetic-streams.ts";
import { type BenchPart, type BenchRow, formatFigure, median, rowAtLeast, rowUpTo } from "./bench-row.ts";
import type { MeteredEngine } from "./metered-engine.ts";
import type { NaiveStore } from "./naive-store.ts";
import { type RunningService, tableUnits } from "./running-service.ts";

const SAMPLE_COUNT = 100_000;
const BATCH_SIZE = 1_000;
const CONCURRENT_SENDERS = 4;
const ROUNDS = 15;

const record = ({ start, value }: Sample) => ({ timestamp: new Date(start).toISOString(), value });
const batchOf = (samples: readonly Sample[], source_type = "ring") => ({
  provider: "oura",
  source_type,
  resources: { heartrate: samples.map(record) },
});

function batchesOf(samples: readonly Sample[], size: number): Sample[][] {
  const count = Math.ceil(samples.length / size);
  return Array.from({ length: count }, (_, index) => samples.slice(index * size, (index + 1) * size));
}

/** Measures the running service through its HTTP interface. */
export async function measureService(
  service: RunningService,
  engine: MeteredEngine,
  naive: NaiveStore,
): Promise<BenchPart> {
  const samples = heartRateStream(8).slice(0, SAMPLE_COUNT);
  const user = await service.createUser("bench");
  const rows = [
    await ingest(service, user, samples, engine, naive),
    ...(await readBack(service, user, samples, naive)),
    await requestsOfPage(service, user, samples),
    ...(await resend(service)),
    await monthOfActivity(service, user),
    await concurrentFirstBatches(service),
  ];
  return { title: "Through `npm start`", rows };
}

/** Sends batches, a few at a time, until the service stores each and a read returns it. */
async function sendAll(service: RunningService, user: string, batches: readonly (readonly Sample[])[]): Promise<void> {
  const waiting = [...batches];
  const receipts: string[] = [];
  const sender = async () => {
    for (let batch = waiting.shift(); batch; batch = waiting.shift())
      receipts.push((await service.call("POST", `/v2/ingest/${user}`, batchOf(batch))).receipt_id);
  };
  await Promise.all(Array.from({ length: CONCURRENT_SENDERS }, sender));
  for (const receipt of receipts) {
    let status = "pending";
    while (status !== "done") status = (await service.call("GET", `/v2/ingest/${user}/${receipt}`)).status;
  }
}

async function ingest(
  service: RunningService,
  user: string,
  samples: readonly Sample[],
  engine: MeteredEngine,
  naive: NaiveStore,
): Promise<BenchRow> {
  const ours = await elapsedMs(() => sendAll(service, user, batchesOf(samples, BATCH_SIZE)));
  const theirs = await elapsedMs(() => engine.measureUsage(() => naive.write("bench", samples)));
  const rate = (ms: number) => (1_000 * samples.length) / ms;
  const measure = `samples/s from the first request to all readable, ${formatFigure(SAMPLE_COUNT)} in batches of ${formatFigure(BATCH_SIZE)} (naive: its writes to the engine alone)`;
  return rowAtLeast(measure, 20_000, rate(ours), rate(theirs));
}

async function readBack(
  service: RunningService,
  user: string,
  samples: readonly Sample[],
  naive: NaiveStore,
): Promise<BenchRow[]> {
  await service.call("POST", "/_local/settle");
  const day = (sample: Sample | undefined) => new Date(sample?.start ?? 0).toISOString().slice(0, 10);
  const range = `start_date=${day(samples[0])}&end_date=${day(samples.at(-1))}`;
  const read: { timestamp: string; value: number }[] = [];
  const ours = await elapsedMs(async () => {
    let cursor: string | null = "";
    while (cursor !== null) {
      const path: string = `/v2/timeseries/${user}/heartrate/grouped?${range}&next_cursor=${cursor}`;
      const page: { groups: { oura: { data: typeof read }[] }; next_cursor: string | null } = await service.call(
        "GET",
        path,
      );
      for (const { data } of page.groups.oura) read.push(...data);
      cursor = page.next_cursor;
    }
  });
  const theirs = await elapsedMs(() => naive.read("bench", samples[0]?.start ?? 0, samples.at(-1)?.start ?? 0));
  const different = samples.filter((sample, index) => {
    const found = read[index];
    return !found || Date.parse(found.timestamp) !== sample.start || found.value !== sample.value;
  });
  const rate = (ms: number) => (1_000 * samples.length) / ms;
  return [
    rowAtLeast("samples/s read raw, page after page (naive: one read in process)", 100_000, rate(ours), rate(theirs)),
    rowUpTo("samples that differ from what was sent", 0, different.length + Math.abs(read.length - samples.length), 0),
  ];
}

async function requestsOfPage(service: RunningService, user: string, samples: readonly Sample[]): Promise<BenchRow> {
  const date = new Date(samples[0]?.start ?? 0).toISOString().slice(0, 10);
  const page = () =>
    service.call("GET", `/v2/timeseries/${user}/heartrate/grouped?start_date=${date}&end_date=${date}`);
  await page();
  const { total } = await service.measureUnits(page);
  return rowUpTo("requests to DynamoDB for a page of a day, key cached", 3, total.requests, Number.NaN);
}

/** Sends half a day in one batch, twice. Measures the cost of the second request. */
async function resend(service: RunningService): Promise<BenchRow[]> {
  const user = await service.createUser("resender");
  const batch = batchOf(heartRateStream(1).slice(0, 8_000));
  const send = () => service.call("POST", `/v2/ingest/${user}`, batch);
  const [first, again] = [await service.measureUnits(send), await service.measureUnits(send)];
  const cost = (reading: typeof first) => reading.total.write_units * 5 + reading.total.read_units;
  return [
    rowUpTo("writes to `samples` when unchanged data comes again", 0, tableUnits(again, "samples").write_units, 8_000),
    rowAtLeast(
      "price of the first send against the second, all tables, events and deliveries",
      5,
      cost(first) / cost(again),
      1,
      "x",
    ),
  ];
}

async function monthOfActivity(service: RunningService, user: string): Promise<BenchRow> {
  const days = Array.from({ length: 30 }, (_, index) => `2025-04-${String(index + 1).padStart(2, "0")}`);
  const activity = days.map((calendar_date, index) => ({ calendar_date, steps: 5_000 + index, distance: 4_000 }));
  await service.call("POST", `/v2/ingest/${user}`, { provider: "oura", source_type: "ring", resources: { activity } });
  await service.call("POST", "/_local/settle");
  const times: number[] = [];
  for (let round = 0; round < ROUNDS * 3; round++) {
    times.push(
      await elapsedMs(async () => {
        const answer = await service.call(
          "GET",
          `/v2/summary/activity/${user}?start_date=2025-04-01&end_date=2025-04-30`,
        );
        if (answer.activity.length !== days.length) throw new Error("the response lacks a day");
      }),
    );
  }
  return rowUpTo(
    `a month of activity with ${formatFigure(SAMPLE_COUNT)} samples held, p50`,
    10,
    median(times),
    Number.NaN,
    " ms",
  );
}

/** Sends many sources of new users concurrently and checks that no sample is lost. */
async function concurrentFirstBatches(service: RunningService): Promise<BenchRow> {
  const samples = heartRateStream(1).slice(0, 3_000);
  let lost = 0;
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const user = await service.createUser(`first ${index}`);
      const batches = batchesOf(samples, samples.length / 6);
      await Promise.all(batches.map((batch) => service.call("POST", `/v2/ingest/${user}`, batchOf(batch))));
      await service.call("POST", "/_local/settle");
      const answer = await service.call(
        "GET",
        `/v2/timeseries/${user}/heartrate/grouped?start_date=2025-03-01&end_date=2025-03-06`,
      );
      lost += samples.length - (answer.groups.oura?.[0].data.length ?? 0);
    }),
  );
  return rowUpTo("samples lost of 6 concurrent first batches for each of 12 new users", 0, lost, Number.NaN);
}

async function elapsedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
