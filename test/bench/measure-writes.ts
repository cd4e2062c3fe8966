import type { Sample } from "../../lib/domain/timeseries/chunk/sample.ts";
import { getResource } from "../../lib/domain/timeseries/resources.ts";
import { Table } from "../../lib/store/table.ts";
import { ChunkStore } from "../../lib/store/timeseries/chunks.ts";
import { heartRateStream } from "../support/synthetic-streams.ts";
import { createUserCiphers } from "../support/user-ciphers.ts";
import { type BenchPart, type BenchRow, rowAtLeast, rowUpTo } from "./bench-row.ts";
import { createStream, storeBatch } from "./bench-streams.ts";
import type { MeteredEngine } from "./metered-engine.ts";
import type { NaiveStore } from "./naive-store.ts";

const FIVE_MINUTES_MS = 300_000;
const heartrate = getResource("heartrate");

/** Splits samples into the batches of a phone that syncs every five minutes. */
function splitIntoSyncs(samples: readonly Sample[]): Sample[][] {
  return [...Map.groupBy(samples, ({ start }) => Math.floor(start / FIVE_MINUTES_MS)).values()];
}

/** Heart rate at 1 Hz, with four interpolated beats between samples of the 5 s stream. */
function interpolateSeconds(samples: readonly Sample[]): Sample[] {
  return samples.flatMap((sample) => {
    const first = Math.floor(sample.start / 5_000) * 5_000;
    return Array.from({ length: 5 }, (_, second) => ({ ...sample, start: first + second * 1_000 }));
  });
}

const uniqueByStart = (samples: readonly Sample[]) => [
  ...new Map(samples.map((sample) => [sample.start, sample])).values(),
];

/** Measures write units, counted by the engine. */
export async function measureWrites(engine: MeteredEngine, naive: NaiveStore): Promise<BenchPart> {
  const chunks = new ChunkStore(new Table(engine.documents, "samples"), createUserCiphers());
  const day = heartRateStream(1);
  const naiveUnits = (await engine.measureUsage(() => naive.write("writer", day))).writeUnits / day.length;
  const batches = splitIntoSyncs(day);
  const units: number[] = [];
  for (const batch of batches)
    units.push(
      (await engine.measureUsage(() => storeBatch(chunks, createStream("synced", heartrate), batch))).writeUnits,
    );
  const isOne = units.filter((count) => count === 1).length / units.length;
  const meanBatch = day.length / batches.length;
  return {
    title: "Writing",
    rows: [
      rowAtLeast("batches of one 5-minute sync that cost exactly 1 write unit in `samples`", 99, isOne * 100, 0, " %"),
      rowUpTo(
        "write units per 1,000 samples, 5 s heart rate in 5-minute syncs",
        19,
        (1_000 * sum(units)) / day.length,
        naiveUnits * 1_000,
      ),
      rowUpTo("write units of a mean batch", 1, sum(units) / units.length, naiveUnits * meanBatch),
      await backfill(engine, chunks, "5 s", day, 2, naiveUnits),
      await backfill(engine, chunks, "1 Hz", uniqueByStart(interpolateSeconds(day)), 0.4, naiveUnits),
    ],
  };
}

async function backfill(
  engine: MeteredEngine,
  chunks: ChunkStore,
  rate: string,
  samples: readonly Sample[],
  most: number,
  naiveUnits: number,
): Promise<BenchRow> {
  const stream = createStream(`history ${rate}`, heartrate);
  const { writeUnits } = await engine.measureUsage(() => storeBatch(chunks, stream, samples, true));
  const ours = (1_000 * writeUnits) / samples.length;
  return rowUpTo(`write units per 1,000 samples of history, ${rate} heart rate`, most, ours, naiveUnits * 1_000);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
