import { type ChunkColumns, chunkToColumns, columnsToChunk } from "./chunk-columns.ts";
import { buildChunk, compareReceipts, latestReceipt, type SampleWithRun } from "./runs.ts";
import { type BatchReceipt, compareSampleKeys, sampleKey } from "./sample.ts";

/** Whether a chunk received nothing after an instant (epoch ms), so its content then equals its content now. */
export function isUnchangedAfter({ runs }: Pick<ChunkColumns, "runs">, asOfMs: number): boolean {
  return runs.every((run) => latestReceipt(run).receivedAt <= asOfMs);
}

/**
 * The chunk as of an instant (epoch ms): for each key, the value of the last receipt up to then. Requires everything
 * received: the current chunk and the stored versions of displaced samples.
 */
export function columnsAsOf(columns: ChunkColumns, versions: readonly ChunkColumns[], asOfMs: number): ChunkColumns {
  if (isUnchangedAfter(columns, asOfMs)) return columns;
  const known = new Map<string, readonly [receipt: BatchReceipt, entry: SampleWithRun]>();
  for (const { samples, runs } of [columns, ...versions].map(columnsToChunk)) {
    for (const { run: number, ...sample } of samples) {
      const run = runs[number];
      const name = sampleKey(sample);
      for (const receipt of run ? runReceipts(run) : []) {
        const best = known.get(name)?.[0];
        if (receipt.receivedAt <= asOfMs && (!best || compareReceipts(receipt, best) > 0))
          known.set(name, [receipt, { sample, run: run as SampleWithRun["run"] }]);
      }
    }
  }
  const entries = [...known.values()].map(([, entry]) => entry).sort((a, b) => compareSampleKeys(a.sample, b.sample));
  return chunkToColumns(buildChunk(entries));
}

/** The entries that no version contains, compared by key and receipt. */
export function findMissingEntries(
  entries: readonly SampleWithRun[],
  versions: readonly ChunkColumns[],
): SampleWithRun[] {
  const nameOf = (name: string, { receivedAt, batchId }: BatchReceipt) => JSON.stringify([name, receivedAt, batchId]);
  const known = new Set(
    versions.map(columnsToChunk).flatMap(({ samples, runs }) =>
      samples.flatMap((sample) => {
        const run = runs[sample.run];
        return run ? runReceipts(run).map((receipt) => nameOf(sampleKey(sample), receipt)) : [];
      }),
    ),
  );
  return entries.filter(({ sample, run }) => !known.has(nameOf(sampleKey(sample), run)));
}

/** The known receipts of a run's values. */
const runReceipts = (run: SampleWithRun["run"]): BatchReceipt[] => (run.confirmedBy ? [run, run.confirmedBy] : [run]);
