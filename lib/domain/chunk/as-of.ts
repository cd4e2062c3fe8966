import { type ChunkColumns, chunkToColumns, columnsToChunk } from "./columns.ts";
import { buildChunk, compareReceipts, latestReceipt, type SampleOfRun } from "./runs.ts";
import { compareKeys, type Receipt, sampleName } from "./sample.ts";

/** Whether a chunk knows of nothing that was received after an instant (epoch ms), so that it stood as it is then. */
export function isSettledAt({ runs }: Pick<ChunkColumns, "runs">, asOfMs: number): boolean {
  return runs.every((run) => latestReceipt(run).receivedAt <= asOfMs);
}

/**
 * A chunk as it follows from what was received until an instant (epoch ms): of each key the value of the last receipt
 * until then. Everything that was received is needed: the chunk as it stands, and what was kept of what it displaced.
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

/** Which of the entries no version has, by key and receipt. */
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

/** The receipts that are known to have brought the values of a run. */
const receiptsOf = (run: SampleOfRun["run"]): Receipt[] => (run.confirmedBy ? [run, run.confirmedBy] : [run]);
