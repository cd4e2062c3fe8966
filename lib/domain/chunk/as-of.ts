import { type ChunkColumns, chunkToColumns, columnsToChunk } from "./columns.ts";
import { buildChunk, compareReceipts, latestReceipt, type SampleOfRun } from "./runs.ts";
import { compareKeys, type Receipt, sampleName } from "./sample.ts";

/** Whether a chunk received nothing after an instant (epoch ms), so its content then equals its content now. */
export function isSettledAt({ runs }: Pick<ChunkColumns, "runs">, asOfMs: number): boolean {
  return runs.every((run) => latestReceipt(run).receivedAt <= asOfMs);
}

/**
 * The chunk as of an instant (epoch ms): for each key, the value of the last receipt up to then. Requires everything
 * received: the current chunk and the stored versions of displaced samples.
 */
export function columnsAsOf(columns: ChunkColumns, versions: readonly ChunkColumns[], asOfMs: number): ChunkColumns {
  if (isSettledAt(columns, asOfMs)) return columns;
  const known = new Map<string, readonly [receipt: Receipt, entry: SampleOfRun]>();
  for (const { samples, runs } of [columns, ...versions].map(columnsToChunk)) {
    for (const { run: number, ...sample } of samples) {
      const run = runs[number];
      const name = sampleName(sample);
      for (const receipt of run ? receiptsOf(run) : []) {
        const best = known.get(name)?.[0];
        if (receipt.receivedAt <= asOfMs && (!best || compareReceipts(receipt, best) > 0))
          known.set(name, [receipt, { sample, run: run as SampleOfRun["run"] }]);
      }
    }
  }
  const entries = [...known.values()].map(([, entry]) => entry).sort((a, b) => compareKeys(a.sample, b.sample));
  return chunkToColumns(buildChunk(entries));
}

/** The entries that no version contains, compared by key and receipt. */
export function unknownOf(entries: readonly SampleOfRun[], versions: readonly ChunkColumns[]): SampleOfRun[] {
  const nameOf = (name: string, { receivedAt, batchId }: Receipt) => JSON.stringify([name, receivedAt, batchId]);
  const known = new Set(
    versions.map(columnsToChunk).flatMap(({ samples, runs }) =>
      samples.flatMap((sample) => {
        const run = runs[sample.run];
        return run ? receiptsOf(run).map((receipt) => nameOf(sampleName(sample), receipt)) : [];
      }),
    ),
  );
  return entries.filter(({ sample, run }) => !known.has(nameOf(sampleName(sample), run)));
}

/** The known receipts of a run's values. */
const receiptsOf = (run: SampleOfRun["run"]): Receipt[] => (run.confirmedBy ? [run, run.confirmedBy] : [run]);
