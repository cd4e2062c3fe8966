import type { Sample } from "../../lib/domain/chunk/sample.ts";
import { resourceNamed } from "../../lib/domain/timeseries/resources.ts";
import { ChunkStore } from "../../lib/store/chunks.ts";
import { Table } from "../../lib/store/table.ts";
import { heartRate } from "../support/synthetic-streams.ts";
import { seals } from "../support/user-seals.ts";
import type { CountedEngine } from "./counted-engine.ts";
import type { NaiveStore } from "./naive-store.ts";
import { atLeast, atMost, type Part, type Row } from "./row.ts";
import { storeBatch, streamOf } from "./streams.ts";

const FIVE_MINUTES_MS = 300_000;
const heartrate = resourceNamed("heartrate");

/** Splits samples into the batches of a phone that syncs every five minutes. */
function syncs(samples: readonly Sample[]): Sample[][] {
  return [...Map.groupBy(samples, ({ start }) => Math.floor(start / FIVE_MINUTES_MS)).values()];
}

/** Heart rate at 1 Hz, with four interpolated beats between samples of the 5 s stream. */
function everySecond(samples: readonly Sample[]): Sample[] {
  return samples.flatMap((sample) => {
    const first = Math.floor(sample.start / 5_000) * 5_000;
    return Array.from({ length: 5 }, (_, second) => ({ ...sample, start: first + second * 1_000 }));
  });
}

const unique = (samples: readonly Sample[]) => [...new Map(samples.map((sample) => [sample.start, sample])).values()];

/** Measures write units, counted by the engine. */
export async function writes(engine: CountedEngine, naive: NaiveStore): Promise<Part> {
  const chunks = new ChunkStore(new Table(engine.documents, "samples"), seals());
  const day = heartRate(1);
  const naiveUnits = (await engine.usageOf(() => naive.write("writer", day))).writeUnits / day.length;
  const batches = syncs(day);
  const units: number[] = [];
  for (const batch of batches)
    units.push((await engine.usageOf(() => storeBatch(chunks, streamOf("synced", heartrate), batch))).writeUnits);
  const isOne = units.filter((count) => count === 1).length / units.length;
  const meanBatch = day.length / batches.length;
  return {
    title: "Writing",
    rows: [
      atLeast("batches of one 5-minute sync that cost exactly 1 write unit in `samples`", 99, isOne * 100, 0, " %"),
      atMost(
        "write units per 1,000 samples, 5 s heart rate in 5-minute syncs",
        19,
        (1_000 * sum(units)) / day.length,
        naiveUnits * 1_000,
      ),
      atMost("write units of a mean batch", 1, sum(units) / units.length, naiveUnits * meanBatch),
      await backfill(engine, chunks, "5 s", day, 2, naiveUnits),
      await backfill(engine, chunks, "1 Hz", unique(everySecond(day)), 0.4, naiveUnits),
    ],
  };
}

async function backfill(
  engine: CountedEngine,
  chunks: ChunkStore,
  rate: string,
  samples: readonly Sample[],
  most: number,
  naiveUnits: number,
): Promise<Row> {
  const stream = streamOf(`history ${rate}`, heartrate);
  const { writeUnits } = await engine.usageOf(() => storeBatch(chunks, stream, samples, true));
  const ours = (1_000 * writeUnits) / samples.length;
  return atMost(`write units per 1,000 samples of history, ${rate} heart rate`, most, ours, naiveUnits * 1_000);
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
